// SPDX-License-Identifier: Apache-2.0
#include "report/pages/campaign_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/ir/region/task_spec.h"
#include "core/ir/region/work.h"
#include "report/charts/scale.h"

namespace dovetail {
namespace {

std::string operator_kind(const std::string& spec) {
  const size_t end = spec.find_first_of(":[");
  return end == std::string::npos || spec[end] == '[' ? "own" : spec.substr(0, end);
}

std::optional<double> speedup_of(const TaskData& task) {
  const auto by_default = task.default_seconds();
  if (!by_default || task.best() == nullptr) return std::nullopt;
  return *by_default / task.best()->seconds;
}

std::string times_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}×", *ratio) : "–";
}

// The label of a row; with several targets or devices, these too.
std::string label_of(const CampaignData& data, const MachineFacts& facts, const TaskData& task) {
  std::string label = facts.name_of(task.spec);
  const TaskData& first = data.tasks.front();
  for (const TaskData& other : data.tasks) {
    if (other.target == first.target && other.device == first.device) continue;
    return fmt::format("{} on {}", label, task.target);
  }
  return label;
}

// Colours of the parts of a campaign's time, in this order.
const std::vector<std::string> kParts = {"build", "run", "check", "search", "model"};

std::vector<std::optional<double>> parts_of(const MeasureTimes& times) {
  return {times.build_seconds, times.run_seconds, times.check_seconds, times.search_seconds,
          times.model_seconds};
}

}  // namespace

std::optional<double> flops_of(const std::string& spec) {
  const auto task = parse_task_spec(spec);
  return task ? std::optional(nominal_flops(task->region)) : std::nullopt;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::vector<double> speedups_of(const CampaignData& data) {
  std::vector<double> ratios;
  for (const TaskData& task : data.tasks) {
    if (const auto ratio = speedup_of(task)) ratios.push_back(*ratio);
  }
  return ratios;
}

Figure speedups(const CampaignData& data, const MachineFacts& facts) {
  BarChart chart{.axis = "speed-up of the best over the default trace", .series = {"best"}};
  chart.reference = 1;
  for (const TaskData& task : data.tasks) {
    const auto ratio = speedup_of(task);
    chart.rows.push_back({label_of(data, facts, task), {ratio}, {times_text(ratio)}});
  }
  return {"speedups", "Best against the default trace", std::move(chart)};
}

Figure speedups_by_kind(const CampaignData& data) {
  std::vector<std::string> kinds;  // in the order of tasks
  std::map<std::string, std::vector<double>> ratios;
  for (const TaskData& task : data.tasks) {
    const std::string kind = operator_kind(task.spec);
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
    if (const auto ratio = speedup_of(task)) ratios[kind].push_back(*ratio);
  }
  BarChart chart{.axis = "speed-up over the default trace, geometric mean of the kind's tasks",
                 .series = {"best"}};
  chart.reference = 1;
  for (const std::string& kind : kinds) {
    const std::vector<double>& of_kind = ratios[kind];
    const auto mean = of_kind.empty() ? std::nullopt : std::optional(geometric_mean(of_kind));
    chart.rows.push_back(
        {fmt::format("{} ({})", kind, of_kind.size()), {mean}, {times_text(mean)}});
  }
  return {"speedups-by-kind", "Best against the default trace, by kind of operator",
          std::move(chart)};
}

Figure percentages(const CampaignData& data, const MachineFacts& facts) {
  BarChart chart{.axis = "percent", .series = {"of the FMA peak", "of the roof"}};
  chart.first_colour = 1;
  chart.reference = 100;
  for (const TaskData& task : data.tasks) {
    BarRow row{label_of(data, facts, task), {std::nullopt, std::nullopt}, {"", ""}};
    if (const BestTrial* best = task.best()) {
      const auto flops = flops_of(task.spec);
      if (flops) row.values[0] = facts.percent_of_peak(*flops, best->seconds);
      row.values[1] = facts.percent_of_roof(task.spec, best->seconds);
    }
    for (size_t i = 0; i < 2; ++i) {
      if (row.values[i]) row.texts[i] = fmt::format("{:.0f} %", *row.values[i]);
    }
    chart.rows.push_back(std::move(row));
  }
  return {"percent-of-peak", "The best, of the FMA peak and of the roof", std::move(chart)};
}

Figure gflops(const CampaignData& data, const MachineFacts& facts) {
  BarChart chart{.axis = "GFLOP/s (nominal)", .series = {"default", "best"}};
  for (const TaskData& task : data.tasks) {
    BarRow row{label_of(data, facts, task), {std::nullopt, std::nullopt}, {}};
    const auto flops = flops_of(task.spec);
    const auto by_default = task.default_seconds();
    if (flops && by_default) row.values[0] = *flops / *by_default * 1e-9;
    if (flops && task.best() != nullptr) row.values[1] = *flops / task.best()->seconds * 1e-9;
    chart.rows.push_back(std::move(row));
  }
  return {"gflops", "GFLOP/s of the default trace and of the best", std::move(chart)};
}

Figure time_by_task(const CampaignData& data, const MachineFacts& facts) {
  BarChart chart{.axis = "seconds, added up over builders", .series = kParts};
  chart.stacked = true;
  for (const TaskData& task : data.tasks) {
    MeasureTimes sum;
    for (const TaskRun& run : task.runs) sum += run.stats.times;
    chart.rows.push_back({label_of(data, facts, task), parts_of(sum), {duration_text(total(sum))}});
  }
  return {"time-by-task", "Where time went, by task", std::move(chart)};
}

Figure time_by_campaign(const CampaignData& data) {
  BarChart chart{.axis = "seconds, added up over builders", .series = kParts};
  chart.stacked = true;
  for (const CampaignInfo& campaign : data.campaigns) {
    chart.rows.push_back(
        {campaign.name, parts_of(campaign.times), {duration_text(total(campaign.times))}});
  }
  return {"time", "Where time went", std::move(chart)};
}

Figure drift(const CampaignData& data) {
  LineChart chart;
  chart.x = {.title = "minutes since the campaign began", .log = false, .from_zero = true};
  chart.y = {.title = "default trace, against its first time (%)"};
  chart.height = 260;
  Curve series{.name = "sentinels", .dots = true};
  for (const TaskData& task : data.tasks) {
    for (const TaskRun& run : task.runs) {
      const auto first = run.stats.default_seconds;
      for (const TimedTrial& sentinel : run.sentinels) {
        if (!first) continue;
        const double change = 100 * (sentinel.seconds / *first - 1);
        series.points.push_back({sentinel.elapsed_seconds / 60, change});
        series.tips.push_back(fmt::format("{}: {:+.1f} %", task.spec, change));
      }
    }
  }
  chart.references.push_back({.y = 0, .name = ""});
  chart.series.push_back(std::move(series));
  return {"drift", "Drift: the default trace measured again along the campaign", std::move(chart)};
}

Figure failed_by_task(const CampaignData& data, const MachineFacts& facts) {
  BarChart chart{.axis = "trials"};
  chart.stacked = true;
  chart.first_colour = 1;
  std::vector<Status> seen;
  for (const Status status : kStatuses) {
    const bool found = std::ranges::any_of(
        data.failures, [&](const FailureKind& failure) { return failure.status == status; });
    if (found) seen.push_back(status);
  }
  for (const Status status : seen) chart.series.emplace_back(print(status));
  for (const TaskData& task : data.tasks) {
    BarRow row{label_of(data, facts, task), {}, {}};
    int64_t failed = 0;
    int64_t trials = 0;
    for (const TaskRun& run : task.runs) trials += run.stats.trials;
    for (const Status status : seen) {
      int64_t count = 0;
      for (const TaskRun& run : task.runs) {
        const auto at = run.stats.failed.find(status);
        if (at != run.stats.failed.end()) count += at->second;
      }
      failed += count;
      row.values.emplace_back(static_cast<double>(count));
    }
    row.texts = {fmt::format("{} of {}", failed, trials)};
    chart.rows.push_back(std::move(row));
  }
  return {"failed", "Trials that failed, by task", std::move(chart)};
}

}  // namespace dovetail
