// SPDX-License-Identifier: Apache-2.0
#include "report/data/task_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/distinct_name.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "primitives/algorithm/roof.h"

namespace dovetail {
namespace {

// That of the campaign that has the best; null: its header has none.
const Machine* machine_of(const CampaignData& data, const TaskData& task) {
  if (!task.best_run) return nullptr;
  const std::optional<Machine>& machine =
      data.campaigns[task.runs[*task.best_run].campaign].header.machine;
  return machine ? &*machine : nullptr;
}

}  // namespace

void add_names(const CampaignData& data, MachineFacts& facts) {
  std::set<std::string> taken;
  for (const auto& [spec, name] : facts.names) taken.insert(name);
  const auto add = [&](const std::string& spec, const std::string& name) {
    if (!facts.names.contains(spec)) facts.names.emplace(spec, distinct_name(name, taken));
  };
  for (const CampaignInfo& campaign : data.campaigns)
    for (const Layer& layer : campaign.header.layers) add(layer.spec, layer.name);
  if (facts.names.empty()) return;
  int64_t regions = 0;
  for (const TaskData& task : data.tasks) {
    const bool is_written = task.spec.find('[') < task.spec.find(':');
    if (is_written && !facts.names.contains(task.spec))
      add(task.spec, fmt::format("region {}", ++regions));
  }
}

std::optional<double> speedup_of(const TaskData& task) {
  const auto by_default = task.default_seconds();
  if (!by_default || task.best() == nullptr) return std::nullopt;
  return *by_default / task.best()->seconds;
}

std::vector<double> speedups_of(const CampaignData& data) {
  std::vector<double> ratios;
  for (const TaskData& task : data.tasks)
    if (const auto ratio = speedup_of(task)) ratios.push_back(*ratio);
  return ratios;
}

std::optional<double> seconds_of_best(const TaskData& task) {
  return task.best() == nullptr ? std::nullopt : std::optional(task.best()->seconds);
}

std::optional<double> gflops_of(const TaskData& task, const std::optional<double>& seconds) {
  const auto spec = parse_task_spec(task.spec);
  return spec ? nominal_gflops(spec->region, seconds) : std::nullopt;
}

std::optional<double> gbytes_per_second_of(const TaskData& task) {
  const auto spec = parse_task_spec(task.spec);
  return spec ? operand_gbytes_per_second(spec->region, seconds_of_best(task)) : std::nullopt;
}

std::optional<double> peak_gflops_of(const CampaignData& data, const MachineFacts& facts,
                                     const TaskData& task) {
  if (facts.peak_gflops) return facts.peak_gflops;
  const Machine* machine = machine_of(data, task);
  return machine ? machine->peak_gflops : std::nullopt;
}

std::optional<double> percent_of_peak(const CampaignData& data, const MachineFacts& facts,
                                      const TaskData& task) {
  const auto spec = parse_task_spec(task.spec);
  if (!spec) return std::nullopt;
  return percent_of_peak({.peak_gflops = peak_gflops_of(data, facts, task)}, spec->region,
                         seconds_of_best(task));
}

std::optional<double> percent_of_roof(const CampaignData& data, const MachineFacts& facts,
                                      const TaskData& task) {
  const std::optional<double> seconds = seconds_of_best(task);
  if (!seconds) return std::nullopt;
  if (const auto percent = facts.percent_of_roof(task.spec, *seconds)) return percent;
  const Machine* machine = machine_of(data, task);
  if (machine == nullptr) return std::nullopt;
  const auto spec = parse_task_spec(task.spec);
  const auto trace = parse_trace(task.best_trace);
  return spec && trace ? percent_of_roof(*machine, spec->region, *trace, seconds) : std::nullopt;
}

bool has_percentages(const CampaignData& data, const MachineFacts& facts) {
  return std::ranges::any_of(data.tasks, [&](const TaskData& task) {
    return percent_of_peak(data, facts, task) || percent_of_roof(data, facts, task);
  });
}

std::optional<double> drift_of(const TaskData& task) {
  std::optional<double> largest;
  for (const TaskRun& run : task.runs) {
    const std::optional<double> first = run.stats.default_first_seconds;
    const auto note = [&](double seconds) {
      const double change = seconds / *first - 1;
      if (!largest || std::abs(change) > std::abs(*largest)) largest = change;
    };
    if (!first) continue;
    for (const auto* again : {&run.sentinels, &run.default_confirmations})
      for (const TimedTrial& reading : *again) note(reading.seconds);
  }
  return largest;
}

void drop_empty(DataTable& table) {
  for (size_t i = table.columns.size(); i-- > 0;) {
    const bool empty =
        std::ranges::all_of(table.rows, [i](const auto& row) { return row[i].text == "–"; });
    if (!empty || table.rows.empty()) continue;
    table.columns.erase(table.columns.begin() + static_cast<ptrdiff_t>(i));
    for (std::vector<DataCell>& row : table.rows)
      row.erase(row.begin() + static_cast<ptrdiff_t>(i));
  }
}

}  // namespace dovetail
