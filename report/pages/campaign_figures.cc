// SPDX-License-Identifier: Apache-2.0
#include "report/pages/campaign_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "core/base/statistics.h"
#include "report/charts/scale.h"
#include "report/data/task_facts.h"
#include "report/data/tuned_network.h"
#include "report/tables/row_table.h"

namespace dovetail {
namespace {

std::string operator_kind(const std::string& spec) {
  const size_t end = spec.find_first_of(":[");
  return end == std::string::npos || spec[end] == '[' ? "written" : spec.substr(0, end);
}

std::string times_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}×", *ratio) : "–";
}

// The label of a row; with target and cache state where tasks differ in these.
std::string label_of(const CampaignData& data, const MachineFacts& facts, const TaskData& task) {
  const std::string name = facts.name_of(task.spec);
  const TaskData& first = data.tasks.front();
  const bool alike = std::ranges::all_of(data.tasks, [&](const TaskData& other) {
    return other.target == first.target && other.device == first.device;
  });
  const bool alike_timed =
      std::ranges::all_of(data.tasks, [&](const TaskData& o) { return o.caches == first.caches; });
  const std::string place = alike ? name : fmt::format("{} on {}", name, task.target);
  return alike_timed ? place : fmt::format("{}, {}", place, print(task.caches));
}

// Adds a row per task; `row_of` makes it without its label.
BarChart chart_of_tasks(BarChart chart, const CampaignData& data, const MachineFacts& facts,
                        const std::function<BarRow(const TaskData&)>& row_of) {
  for (const TaskData& task : data.tasks) {
    chart.rows.push_back(row_of(task));
    chart.rows.back().label = label_of(data, facts, task);
  }
  return chart;
}

// Where time went: a stack of the parts of a campaign's time.
BarChart chart_of_times() {
  return {.axis = "seconds, added up over builders",
          .series = {"build", "run", "check", "search", "model"},
          .stacked = true};
}

BarRow row_of_times(const MeasureTimes& times) {
  return {.values = {times.build_seconds, times.run_seconds, times.check_seconds,
                     times.search_seconds, times.model_seconds},
          .texts = {duration_text(total(times))}};
}

int64_t sum_over_runs(const TaskData& task, int64_t TaskStats::* count) {
  int64_t sum = 0;
  for (const TaskRun& run : task.runs) sum += run.stats.*count;
  return sum;
}

int64_t times_failed(const TaskData& task, Status status) {
  int64_t count = 0;
  for (const TaskRun& run : task.runs) {
    const auto at = run.stats.failed.find(status);
    if (at != run.stats.failed.end()) count += at->second;
  }
  return count;
}

// How sure the best's time is: half of the 95 % interval of its median.
NumberCell half_width_of(const BestTrial* best) {
  return kHalfWidth(best == nullptr ? std::nullopt : best->interval);
}

// "#CAMPAIGN.TRIAL" of the best, with its log where there are several.
std::string record_of(const CampaignData& data, const TaskData& task) {
  if (task.best() == nullptr)
    return sum_over_runs(task, &TaskStats::trials) == 0 ? "no trial yet" : "no valid candidate";
  const CampaignInfo& campaign = data.campaigns[task.runs[*task.best_run].campaign];
  const bool one_log = std::ranges::all_of(
      data.campaigns, [&](const CampaignInfo& other) { return other.log == campaign.log; });
  const std::string name = one_log ? fmt::format("#{}", campaign.header.campaign) : campaign.name;
  return fmt::format("{}.{}", name, task.best()->record.trial);
}

// The file of a layer's model, without its folders; empty: not of a model, or unknown.
std::string model_name_of(const LogHeader& header, const Layer& layer) {
  if (layer.nodes == 0) return "";
  return std::filesystem::path(file_of_model(header, layer.model)).filename().string();
}

bool has_several_models(const CampaignData& data) {
  std::set<std::string> names;
  for (const CampaignInfo& campaign : data.campaigns)
    for (const Layer& layer : campaign.header.layers)
      names.insert(model_name_of(campaign.header, layer));
  names.erase("");
  return names.size() > 1;
}

// "bert.onnx, resnet18.onnx": the models that run a task.
std::string models_text(const CampaignData& data, const TaskData& task) {
  std::set<std::string> names;
  for (const CampaignInfo& campaign : data.campaigns)
    for (const Layer& layer : campaign.header.layers)
      if (layer.spec == task.spec) names.insert(model_name_of(campaign.header, layer));
  names.erase("");
  return names.empty() ? "–" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

DataTable task_table(const CampaignData& data, const MachineFacts& facts) {
  const auto name = [&](const TaskData& task) { return facts.name_of(task.spec); };
  const auto tied = [](const TaskData& task) {
    const bool confirmed = task.best() != nullptr && task.best()->confirmed;
    return confirmed ? count_cell(int64_t(task.best()->tied.size())) : number_cell(std::nullopt, 0);
  };
  const auto failed = [](const TaskData& task) {
    return sum_over_runs(task, &TaskStats::trials) - sum_over_runs(task, &TaskStats::valid);
  };
  using Task = const TaskData&;
  std::vector<ColumnOf<TaskData>> columns = {
      {"task", &TaskData::spec, kCode},
      {"trials", [](Task task) { return sum_over_runs(task, &TaskStats::trials); }},
      {"failed", failed},
      {"default (µs)", [](Task task) { return microseconds_cell(task.default_seconds()); }},
      {"best (µs)", [](Task task) { return microseconds_cell(seconds_of_best(task)); }},
      {"± (%)", [](Task task) { return half_width_of(task.best()); }},
      {"× default", [](Task task) { return number_cell(speedup_of(task), 2); }},
      {"GFLOP/s", [](Task task) { return number_cell(gflops_of(task, seconds_of_best(task)), 1); }},
      {"GB/s", [](Task task) { return number_cell(gbytes_per_second_of(task), 1); }},
      {"% of peak", [&](Task task) { return number_cell(percent_of_peak(data, facts, task), 1); }},
      {"% of roof", [&](Task task) { return number_cell(percent_of_roof(data, facts, task), 1); }},
      {"tied", tied},
      {"record", [&](Task task) { return record_of(data, task); }}};
  // A spec given as a workload is its own name.
  if (std::ranges::any_of(data.tasks, [&](Task task) { return name(task) != task.spec; })) {
    columns.front().column.kind = kBelow;
    columns.insert(columns.begin(), {"name", name});
  }
  if (has_several_models(data))
    columns.push_back({"model", [&](Task task) { return models_text(data, task); }});
  DataTable table = table_of("tasks", "Tasks: the best of each", data.tasks, columns);
  drop_empty(table);
  return table;
}

std::string untried_text(const CampaignData& data, const MachineFacts& facts) {
  std::vector<std::string> names;
  for (const CampaignInfo& campaign : data.campaigns)
    for (const std::string& spec : tasks_of(campaign.header.options)) {
      const std::string name = facts.name_of(spec);
      const bool is_known =
          std::ranges::find(data.tasks, spec, &TaskData::spec) != data.tasks.end() ||
          std::ranges::find(names, name) != names.end();
      if (!is_known) names.push_back(name);
    }
  return names.empty() ? "" : fmt::format("No trial yet: {}.", fmt::join(names, ", "));
}

DataTable failure_table(const CampaignData& data) {
  return table_of<FailureKind>("failures", "What failed, and why", data.failures,
                               {{"status", [](const auto& kind) { return print(kind.status); }},
                                {"count", &FailureKind::count},
                                {"tasks", &FailureKind::tasks},
                                {"reason (# is a number)", &FailureKind::reason},
                                {"example", &FailureKind::example, kCode}});
}

DataTable campaign_table(const CampaignData& data) {
  using Info = const CampaignInfo&;
  return table_of<CampaignInfo>(
      "campaigns", "Campaigns", data.campaigns,
      {{"campaign", &CampaignInfo::name},
       {"started", [](Info info) { return info.header.started; }},
       {"target", [](Info info) { return info.header.target; }},
       {"strategy", &CampaignInfo::strategy},
       {"seed",
        [](Info info) {
          const uint64_t seed = info.header.seed;
          return number_cell(static_cast<double>(seed), fmt::format("{}", seed));
        }},
       {"trials", &CampaignInfo::trials},
       {"failed", [](Info info) { return info.trials - info.valid; }},
       {"rejected", &CampaignInfo::rejected},
       {"time", [](Info info) -> DataCell {
          return number_cell(info.wall_seconds, duration_text(info.wall_seconds));
        }}});
}

Figure speedups(const CampaignData& data, const MachineFacts& facts) {
  const auto row_of = [](const TaskData& task) {
    const auto ratio = speedup_of(task);
    return BarRow{.values = {ratio}, .texts = {times_text(ratio)}};
  };
  return {"speedups", "Best against the default trace",
          chart_of_tasks({.axis = "speed-up of the best over the default trace",
                          .series = {"best"},
                          .reference = 1},
                         data, facts, row_of)};
}

Figure speedups_by_kind(const CampaignData& data) {
  std::vector<std::string> kinds;  // in the order of tasks
  std::map<std::string, std::vector<double>> ratios;
  for (const TaskData& task : data.tasks) {
    const std::string kind = operator_kind(task.spec);
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
    if (const auto ratio = speedup_of(task)) ratios[kind].push_back(*ratio);
  }
  BarChart chart{.axis = "speed-up over the default trace (geometric mean)",
                 .series = {"best"},
                 .reference = 1};
  for (const std::string& kind : kinds) {
    const std::vector<double>& of_kind = ratios[kind];
    const auto mean = of_kind.empty() ? std::nullopt : std::optional(geometric_mean(of_kind));
    chart.rows.push_back(
        {fmt::format("{} ({})", kind, of_kind.size()), {mean}, {times_text(mean)}});
  }
  return {
      "speedups-by-kind", "Best against the default trace, by kind of operator", std::move(chart),
      "Kinds as specs spell them, with the number of tasks. Written: what no kind spells, such as "
      "a pooling, a softmax or a conversion, and is a formula."};
}

Figure percentages(const CampaignData& data, const MachineFacts& facts) {
  const auto row_of = [&](const TaskData& task) {
    BarRow row{.values = {percent_of_peak(data, facts, task), percent_of_roof(data, facts, task)}};
    for (const auto& value : row.values)
      row.texts.push_back(value ? fmt::format("{:.0f} %", *value) : "");
    return row;
  };
  return {
      "percent-of-peak", "The best, of the FMA peak and of the roof",
      chart_of_tasks({.axis = "percent",
                      .series = {"of the FMA peak", "of the roof"},
                      .reference = 100,
                      .first_colour = 1},
                     data, facts, row_of),
      "Of the peak: nominal FLOPs, the field's convention, so that Winograd's algorithm may pass "
      "100. Of the roof: the larger of the algorithm's own multiply-adds at the peak and its "
      "operands at the bandwidth of the memory that holds them."};
}

Figure gflops(const CampaignData& data, const MachineFacts& facts) {
  const auto row_of = [](const TaskData& task) {
    return BarRow{.values = {gflops_of(task, task.default_seconds()),
                             gflops_of(task, seconds_of_best(task))}};
  };
  return {"gflops", "GFLOP/s of the default trace and of the best",
          chart_of_tasks({.axis = "GFLOP/s (nominal)", .series = {"default", "best"}}, data, facts,
                         row_of)};
}

Figure time_by_task(const CampaignData& data, const MachineFacts& facts) {
  const auto row_of = [](const TaskData& task) {
    MeasureTimes sum;
    for (const TaskRun& run : task.runs) sum += run.stats.times;
    return row_of_times(sum);
  };
  return {"time-by-task", "Where time went, by task",
          chart_of_tasks(chart_of_times(), data, facts, row_of)};
}

Figure time_by_campaign(const CampaignData& data) {
  BarChart chart = chart_of_times();
  for (const CampaignInfo& campaign : data.campaigns) {
    chart.rows.push_back(row_of_times(campaign.times));
    chart.rows.back().label = campaign.name;
  }
  return {"time", "Where time went", std::move(chart)};
}

Figure drift(const CampaignData& data, const MachineFacts& facts) {
  LineChart chart;
  double last_seconds = 0;
  for (const auto& [task, run] : data.runs())
    for (const auto* again : {&run->sentinels, &run->default_confirmations})
      for (const TimedTrial& one : *again)
        last_seconds = std::max(last_seconds, one.elapsed_seconds);
  const bool minutes = last_seconds >= 120;
  chart.x = {.title = fmt::format("{} since the campaign began", minutes ? "minutes" : "seconds"),
             .from_zero = true};
  chart.y = {.title = "default trace, against its first time (%)"};
  chart.height = 260;
  const auto add = [&](const char* name, std::vector<TimedTrial> TaskRun::* readings) {
    Curve series{.name = name, .dots = true};
    series.colour = chart.series.size();
    for (const auto& [task, run] : data.runs()) {
      const auto first = run->stats.default_first_seconds;
      if (!first) continue;
      for (const TimedTrial& reading : run->*readings) {
        const double change = 100 * (reading.seconds / *first - 1);
        series.points.push_back({reading.elapsed_seconds / (minutes ? 60 : 1), change});
        series.tips.push_back(fmt::format("{}: {:+.1f} %", facts.name_of(task->spec), change));
      }
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  };
  add("sentinels", &TaskRun::sentinels);
  add("confirmations", &TaskRun::default_confirmations);
  chart.references.push_back({.y = 0, .name = ""});
  return {"drift", "Drift: the default trace measured again along the campaign", std::move(chart),
          "Each dot is the default trace of a task, measured again: a sentinel every 100 trials, "
          "and a confirmation at the end. Far from 0: other programs or a changing clock moved the "
          "times that lie around it. The card above counts the farthest dot of each task."};
}

Figure failed_by_task(const CampaignData& data, const MachineFacts& facts) {
  BarChart chart{.axis = "trials", .stacked = true, .first_colour = 1};
  std::vector<Status> seen;
  std::ranges::copy_if(kStatuses, std::back_inserter(seen), [&](Status status) {
    return std::ranges::count(data.failures, status, &FailureKind::status) > 0;
  });
  for (const Status status : seen) chart.series.emplace_back(print(status));
  const auto row_of = [&seen](const TaskData& task) {
    BarRow row;
    int64_t failed = 0;
    for (const Status status : seen) {
      const int64_t count = times_failed(task, status);
      failed += count;
      row.values.emplace_back(static_cast<double>(count));
    }
    row.texts = {fmt::format("{} of {}", failed, sum_over_runs(task, &TaskStats::trials))};
    return row;
  };
  return {"failed", "Trials that failed, by task",
          chart_of_tasks(std::move(chart), data, facts, row_of)};
}

}  // namespace dovetail
