// SPDX-License-Identifier: Apache-2.0
// The tables of report/pages/comparison_figures.h.
#include <fmt/format.h>

#include <cmath>

#include "report/charts/scale.h"
#include "report/pages/comparison_figures.h"
#include "report/tables/table.h"

namespace dovetail {
namespace {

std::string interval_text(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? fmt::format("[{:.3f}, {:.3f}]", *low, *high) : "–";
}

DataCell bounded_cell(double value, bool is_lower_bound) {
  const std::string text = significant(value);
  return number_cell(value, is_lower_bound ? "≥ " + text : text);
}

// Exact where it is large enough to be read so.
DataCell p_cell(double p) {
  return number_cell(p, p < 1e-4 ? fmt::format("{:.1e}", p) : fmt::format("{:.4f}", p));
}

}  // namespace

DataTable score_table(const Comparison& comparison) {
  DataTable table{.name = "scores-table",
                  .title = "Strategies: score and what they come to",
                  .columns = {{"strategy"},
                              {"score", true},
                              {"95 % interval", true},
                              {"trials to 95 %", true},
                              {"seconds to 95 %", true},
                              {"best, share of optimum", true},
                              {"wins", true},
                              {"ties", true},
                              {"losses", true},
                              {"cost model"},
                              {"variant"}}};
  table.columns[2].title = fmt::format("{:.0f} % interval", 100 * comparison.confidence);
  for (const ComparedStrategy& of : comparison.strategies) {
    table.rows.push_back({text_cell(of.name), number_cell(of.score, 3),
                          text_cell(interval_text(of.score_low, of.score_high)),
                          bounded_cell(of.trials_to_95, of.trials_to_95_is_lower_bound),
                          bounded_cell(of.seconds_to_95, of.seconds_to_95_is_lower_bound),
                          number_cell(std::optional(of.geomean_best), 3), count_cell(of.wins),
                          count_cell(of.ties), count_cell(of.losses), text_cell(of.cost_model),
                          text_cell(of.variant)});
  }
  return table;
}

DataTable quality_table(const Comparison& comparison) {
  DataTable table{.name = "quality",
                  .title = "Trials and seconds to a share of the optimum",
                  .columns = {{"strategy"}}};
  if (comparison.strategies.empty()) return table;
  for (const QualityReached& quality : comparison.strategies.front().quality) {
    const std::string share = fmt::format("{:.3g} %", 100 * quality.share);
    table.columns.push_back({"runs at " + share, true});
    table.columns.push_back({"trials to " + share, true});
    table.columns.push_back({"seconds to " + share, true});
  }
  const auto cell = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? number_cell(*value, significant(*value))
                                          : text_cell("censored");
  };
  for (const ComparedStrategy& of : comparison.strategies) {
    std::vector<DataCell> row{text_cell(of.name)};
    for (const QualityReached& quality : of.quality) {
      row.push_back(number_cell(static_cast<double>(quality.reached),
                                fmt::format("{}/{}", quality.reached, quality.runs)));
      row.push_back(cell(quality.trials));
      row.push_back(cell(quality.seconds));
    }
    row.resize(table.columns.size(), text_cell("–"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

DataTable pair_table(const Comparison& comparison) {
  DataTable table{.name = "pairs",
                  .title = "Strategies in pairs",
                  .columns = {{"strategy"},
                              {"against"},
                              {"mean difference of scores", true},
                              {"p (Holm)", true},
                              {"p", true},
                              {"n", true},
                              {"wins", true},
                              {"ties", true},
                              {"losses", true}}};
  for (const PairTest& pair : comparison.pairs) {
    table.rows.push_back(
        {text_cell(pair.a), text_cell(pair.b),
         number_cell(pair.mean_difference, fmt::format("{:+.3f}", pair.mean_difference)),
         p_cell(pair.p_holm), p_cell(pair.p), count_cell(pair.n), count_cell(pair.wins),
         count_cell(pair.ties), count_cell(pair.losses)});
  }
  return table;
}

DataTable space_table(const Comparison& comparison) {
  DataTable table{.name = "spaces",
                  .title = "What was compared on",
                  .columns = {{"name"},
                              {"operator", false, true},
                              {"points", true},
                              {"valid", true},
                              {"optimum (µs)", true},
                              {"median (µs)", true},
                              {"budget (trials)", true}}};
  for (const ComparedSpace& space : comparison.spaces) {
    const bool measured = space.points > 0;
    table.rows.push_back({text_cell(space.name), text_cell(space.spec),
                          measured ? count_cell(space.points) : text_cell("–"),
                          measured ? count_cell(space.valid) : text_cell("–"),
                          microseconds_cell(space.optimum_seconds),
                          microseconds_cell(space.median_seconds), count_cell(space.trials)});
  }
  return table;
}

// A row for each strategy: names of spaces are the shorter ones.
DataTable space_score_table(const Comparison& comparison) {
  DataTable table{
      .name = "scores-by-space", .title = "Score on each space", .columns = {{"strategy"}}};
  for (const ComparedSpace& space : comparison.spaces) table.columns.push_back({space.name, true});
  for (const ComparedStrategy& of : comparison.strategies) {
    std::vector<DataCell> row{text_cell(of.name)};
    for (size_t i = 0; i < comparison.spaces.size(); ++i)
      row.push_back(number_cell(i < of.spaces.size() ? of.spaces[i].score : std::nullopt, 3));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace dovetail
