// SPDX-License-Identifier: Apache-2.0
// The tables of report/pages/campaign_figures.h.
#include <fmt/format.h>

#include <algorithm>

#include "report/charts/scale.h"
#include "report/pages/campaign_figures.h"
#include "report/tables/table.h"

namespace dovetail {
namespace {

struct Counts {
  int64_t trials = 0;
  int64_t valid = 0;
};

Counts counts_of(const TaskData& task) {
  Counts counts;
  for (const TaskRun& run : task.runs) {
    counts.trials += run.stats.trials;
    counts.valid += run.stats.valid;
  }
  return counts;
}

std::optional<double> median_seconds(const TaskData& task) {
  return task.runs[task.best_run.value_or(0)].stats.median_seconds;
}

std::vector<DataCell> row_of(const CampaignData& data, const MachineFacts& facts,
                             const TaskData& task) {
  const Counts counts = counts_of(task);
  const auto by_default = task.default_seconds();
  std::vector<DataCell> row{text_cell(task.spec), count_cell(counts.trials),
                            count_cell(counts.trials - counts.valid), microseconds_cell(by_default),
                            microseconds_cell(median_seconds(task))};
  const BestTrial* best = task.best();
  if (best == nullptr) {
    row.resize(row.size() + 7, text_cell("–"));
    row.back() = text_cell("no valid candidate");
    return row;
  }
  const auto flops = flops_of(task.spec);
  row.push_back(microseconds_cell(best->seconds));
  row.push_back(
      number_cell(by_default ? std::optional(*by_default / best->seconds) : std::nullopt, 2));
  row.push_back(
      number_cell(flops ? std::optional(*flops / best->seconds * 1e-9) : std::nullopt, 1));
  row.push_back(
      number_cell(flops ? facts.percent_of_peak(*flops, best->seconds) : std::nullopt, 1));
  row.push_back(number_cell(facts.percent_of_roof(task.spec, best->seconds), 1));
  row.push_back(best->confirmed ? count_cell(int64_t(best->tied.size())) : text_cell("–"));
  const CampaignInfo& campaign = data.campaigns[task.runs[*task.best_run].campaign];
  const bool one_log = std::ranges::all_of(
      data.campaigns, [&](const CampaignInfo& other) { return other.log == campaign.log; });
  row.push_back(text_cell(one_log
                              ? fmt::format("#{}.{}", campaign.header.campaign, best->record.trial)
                              : fmt::format("{}.{}", campaign.name, best->record.trial)));
  return row;
}

// Takes columns away that are empty for all rows.
void drop_empty(DataTable& table) {
  for (size_t i = table.columns.size(); i-- > 0;) {
    bool empty = true;
    for (const std::vector<DataCell>& row : table.rows) empty = empty && row[i].text == "–";
    if (!empty || table.rows.empty()) continue;
    table.columns.erase(table.columns.begin() + static_cast<ptrdiff_t>(i));
    for (std::vector<DataCell>& row : table.rows) {
      row.erase(row.begin() + static_cast<ptrdiff_t>(i));
    }
  }
}

}  // namespace

DataTable task_table(const CampaignData& data, const MachineFacts& facts) {
  DataTable table{.name = "tasks",
                  .title = "Tasks: the best of each",
                  .columns = {{"task", false, true},
                              {"trials", true},
                              {"failed", true},
                              {"default (µs)", true},
                              {"median (µs)", true},
                              {"best (µs)", true},
                              {"× default", true},
                              {"GFLOP/s", true},
                              {"% of peak", true},
                              {"% of roof", true},
                              {"tied", true},
                              {"record"}}};
  for (const TaskData& task : data.tasks) table.rows.push_back(row_of(data, facts, task));
  const bool named = std::ranges::any_of(data.tasks, [&](const TaskData& task) {
    return facts.name_of(task.spec) != task.spec;  // a spec given as a workload is its own name
  });
  if (named) {
    table.columns.insert(table.columns.begin(), {"name"});
    for (size_t i = 0; i < table.rows.size(); ++i) {
      table.rows[i].insert(table.rows[i].begin(), text_cell(facts.name_of(data.tasks[i].spec)));
    }
  }
  drop_empty(table);
  return table;
}

DataTable failure_table(const CampaignData& data) {
  DataTable table{.name = "failures",
                  .title = "What failed, and why",
                  .columns = {{"status"},
                              {"count", true},
                              {"tasks", true},
                              {"reason (# is a number)"},
                              {"example", false, true}}};
  for (const FailureKind& failure : data.failures) {
    table.rows.push_back({text_cell(std::string(print(failure.status))), count_cell(failure.count),
                          count_cell(failure.tasks), text_cell(failure.reason),
                          text_cell(failure.example)});
  }
  return table;
}

DataTable campaign_table(const CampaignData& data) {
  DataTable table{.name = "campaigns",
                  .title = "Campaigns",
                  .columns = {{"campaign"},
                              {"started"},
                              {"target"},
                              {"strategy"},
                              {"seed", true},
                              {"trials", true},
                              {"failed", true},
                              {"rejected", true},
                              {"time"}}};
  for (const CampaignInfo& campaign : data.campaigns) {
    table.rows.push_back(
        {text_cell(campaign.name), text_cell(campaign.header.started),
         text_cell(campaign.header.target), text_cell(campaign.strategy()),
         number_cell(static_cast<double>(campaign.header.seed),
                     fmt::format("{}", campaign.header.seed)),
         count_cell(campaign.trials), count_cell(campaign.trials - campaign.valid),
         count_cell(campaign.rejected),
         number_cell(campaign.wall_seconds, duration_text(campaign.wall_seconds))});
  }
  return table;
}

}  // namespace dovetail
