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
  for (const auto& [task, run] : data.runs())
    for (const RoundRecord& round : run->rounds)
      models[round.cost_model][round.round].push_back(&round);
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
  return std::ranges::any_of(data.runs(),
                             [](const auto& run) { return !run.second->rounds.empty(); });
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
  return {
      "cost-model", "How well the cost model ordered each round", std::move(chart),
      "Of each round, before it was measured: tau, from -1 (all pairs in the wrong order) to 1; "
      "recall, the share of the truly best one or five among as many that the model put "
      "first."};
}

DataTable model_table(const CampaignData& data, const MachineFacts& facts) {
  struct Row {
    std::string task, campaign;
    RoundStats stats;
  };
  std::vector<Row> rows;
  for (const auto& [task, run] : data.runs()) {
    const auto stats = round_stats(run->rounds);
    if (!stats) continue;
    rows.push_back({facts.name_of(task->spec), data.campaigns[run->campaign].name, *stats});
  }
  const auto mean_of = [](double RoundStats::* value) {
    return [value](const Row& row) { return number_cell(std::optional(row.stats.*value), 2); };
  };
  const auto training = [](const Row& row) {
    return number_cell(std::optional(1e3 * row.stats.training_seconds), 1);
  };
  return table_of<Row>("cost-models", "Cost models: means over the rounds", rows,
                       {{"task", &Row::task, kCode},
                        {"campaign", &Row::campaign},
                        {"model", [](const Row& row) { return row.stats.cost_model; }},
                        {"rounds", [](const Row& row) { return row.stats.rounds; }},
                        {"top-1 recall", mean_of(&RoundStats::top_1_recall)},
                        {"top-5 recall", mean_of(&RoundStats::top_5_recall)},
                        {"Kendall's tau", mean_of(&RoundStats::kendall_tau)},
                        {"tau, last round", mean_of(&RoundStats::last_kendall_tau)},
                        {"speed of its first", mean_of(&RoundStats::top_1_speed)},
                        {"training (ms)", training},
                        {"warm start, tau", [](const Row& row) {
                           return number_cell(row.stats.warm_start_gain, 2);
                         }}});
}

}  // namespace dovetail
