// SPDX-License-Identifier: Apache-2.0
#include "report/data/model_quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dovetail {
namespace {

constexpr int64_t kRoundsTogether = 5;

struct Quantity {
  const char* name;
  double RoundRecord::* value;
};
constexpr Quantity kQuantities[] = {{"Kendall's tau", &RoundRecord::kendall_tau},
                                    {"top-5 recall", &RoundRecord::top_5_recall},
                                    {"top-1 recall", &RoundRecord::top_1_recall}};

using Rounds = std::map<int64_t, std::vector<const RoundRecord*>>;  // by number, over all tasks

std::map<std::string, Rounds> rounds_by_model(const CampaignData& data) {
  std::map<std::string, Rounds> models;
  for (const TaskData& task : data.tasks) {
    for (const TaskRun& run : task.runs) {
      for (const RoundRecord& round : run.rounds) {
        models[round.cost_model][round.round].push_back(&round);
      }
    }
  }
  return models;
}

Curve curve_of(const Rounds& rounds, const Quantity& quantity) {
  Curve curve;
  for (const auto& [number, ignored] : rounds) {
    double sum = 0;
    double count = 0;
    const auto end = rounds.upper_bound(number);
    for (auto at = rounds.lower_bound(number - kRoundsTogether + 1); at != end; ++at) {
      for (const RoundRecord* round : at->second) sum += round->*quantity.value;
      count += static_cast<double>(at->second.size());
    }
    curve.points.push_back({static_cast<double>(number), sum / count});
  }
  return curve;
}

}  // namespace

bool has_rounds(const CampaignData& data) {
  return std::ranges::any_of(data.tasks, [](const TaskData& task) {
    return std::ranges::any_of(task.runs, [](const TaskRun& run) { return !run.rounds.empty(); });
  });
}

Figure model_curves(const CampaignData& data) {
  LineChart chart;
  chart.x = {.title = "round"};
  chart.y = {.title = fmt::format("mean over tasks and {} rounds", kRoundsTogether),
             .from_zero = true};
  const std::map<std::string, Rounds> models = rounds_by_model(data);
  for (const auto& [model, rounds] : models) {
    for (const Quantity& quantity : kQuantities) {
      Curve curve = curve_of(rounds, quantity);
      curve.name = fmt::format("{}: {}", model, quantity.name);
      curve.colour = chart.series.size();
      chart.series.push_back(std::move(curve));
    }
  }
  return {"cost-model", "How well the cost model ordered each round", std::move(chart)};
}

DataTable model_table(const CampaignData& data, const MachineFacts& facts) {
  DataTable table{.name = "cost-models",
                  .title = "Cost models: means over the rounds",
                  .columns = {{"task", false, true},
                              {"campaign"},
                              {"model"},
                              {"rounds", true},
                              {"top-1 recall", true},
                              {"top-5 recall", true},
                              {"Kendall's tau", true},
                              {"tau, last round", true},
                              {"speed of its first", true},
                              {"training (ms)", true},
                              {"warm start, tau", true}}};
  for (const TaskData& task : data.tasks) {
    for (const TaskRun& run : task.runs) {
      const auto stats = round_stats(run.rounds);
      if (!stats) continue;
      table.rows.push_back(
          {text_cell(facts.name_of(task.spec)), text_cell(data.campaigns[run.campaign].name),
           text_cell(stats->cost_model),
           number_cell(static_cast<double>(stats->rounds), fmt::format("{}", stats->rounds)),
           number_cell(std::optional(stats->top_1_recall), 2),
           number_cell(std::optional(stats->top_5_recall), 2),
           number_cell(std::optional(stats->kendall_tau), 2),
           number_cell(std::optional(stats->last_kendall_tau), 2),
           number_cell(std::optional(stats->top_1_speed), 2),
           number_cell(std::optional(1e3 * stats->training_seconds), 1),
           number_cell(stats->warm_start_gain, 2)});
    }
  }
  return table;
}

}  // namespace dovetail
