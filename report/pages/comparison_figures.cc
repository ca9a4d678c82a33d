// SPDX-License-Identifier: Apache-2.0
#include "report/pages/comparison_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "report/charts/scale.h"
#include "report/pages/markup.h"
#include "report/tables/compare_tables.h"
#include "report/tables/data_table.h"
#include "search/compare/space_tests.h"

namespace dovetail {
namespace {

double at_or_nan(const std::vector<double>& values, size_t i) {
  return i < values.size() ? values[i] : std::numeric_limits<double>::quiet_NaN();
}

Curve curve_of(const Series& series, const std::string& name, size_t colour, double x_scale,
               double y_scale) {
  Curve curve{.name = name, .colour = colour};
  for (size_t i = 0; i < series.at.size(); ++i) {
    const double y = at_or_nan(series.middle, i);
    if (!std::isfinite(y)) continue;
    const double x = series.at[i] * x_scale;
    curve.points.push_back({x, y * y_scale});
    const double low = at_or_nan(series.low, i);
    const double high = at_or_nan(series.high, i);
    if (std::isfinite(low) && std::isfinite(high))
      curve.band.push_back({x, low * y_scale, high * y_scale});
  }
  return curve;
}

bool is_live(const Comparison& comparison) { return comparison.score_is == "share_of_best"; }

std::string score_title(const Comparison& comparison) {
  return is_live(comparison) ? "score (1: the best time ever logged, at once)"
                             : "score (0: random search, 1: the optimum at once)";
}

// Trials after which the median run is within `share` of the optimum; none: never.
std::optional<double> trials_to(const Series& best, double optimum, double share) {
  for (size_t i = 0; i < best.at.size(); ++i)
    if (at_or_nan(best.middle, i) <= optimum / share) return best.at[i];
  return std::nullopt;
}

// Trials at which the median run of each space reaches each target, ascending; and how many pairs
// of a space and a target there are.
struct ReachedTargets {
  std::vector<double> trials = {};
  size_t pairs = 0;
};

ReachedTargets targets_of(const Comparison& comparison, const ComparedStrategy& strategy) {
  constexpr int kTargets = 50;
  ReachedTargets result;
  for (size_t i = 0; i < strategy.spaces.size() && i < comparison.spaces.size(); ++i) {
    const double optimum = comparison.spaces[i].optimum_seconds;
    for (int k = 0; k <= kTargets; ++k) {
      result.pairs += 1;
      // Series have six digits; the last target must not fail by the seventh.
      const double share = std::pow(0.5, 1 - static_cast<double>(k) / kTargets) * (1 - 1e-5);
      const auto trials = trials_to(strategy.spaces[i].over_trials, optimum, share);
      if (trials) result.trials.push_back(*trials);
    }
  }
  std::ranges::sort(result.trials);
  return result;
}

double most_trials(const Comparison& comparison) {
  int64_t most = 1;
  for (const ComparedSpace& space : comparison.spaces) most = std::max(most, space.trials);
  return static_cast<double>(most);
}

NumberCell interval_cell(const Comparison& comparison, const std::optional<double>& low,
                         const std::optional<double>& high) {
  if (!has_intervals(comparison)) return {text_cell("too few runs")};
  return {text_cell(low && high ? fmt::format("[{:.3f}, {:.3f}]", *low, *high) : "–")};
}

// Four digits after the point, or scientific notation below 1e-4.
NumberCell p_cell(double p) {
  return number_cell(p, p < 1e-4 ? fmt::format("{:.1e}", p) : fmt::format("{:.4f}", p));
}

// A dash if not all of the space was measured.
NumberCell measured_cell(const ComparedSpace& space, int64_t count) {
  return space.points > 0 ? count_cell(count) : number_cell(std::nullopt, 0);
}

}  // namespace

Figure scores(const Comparison& comparison) {
  IntervalChart chart{.axis = score_title(comparison)};
  for (const ComparedStrategy& strategy : comparison.strategies) {
    if (!strategy.score) continue;
    chart.rows.push_back({strategy.name, *strategy.score,
                          strategy.score_low.value_or(*strategy.score),
                          strategy.score_high.value_or(*strategy.score)});
  }
  std::ranges::stable_sort(chart.rows, std::greater{}, &IntervalRow::value);
  if (!is_live(comparison)) chart.reference = 0;
  return {"scores", "Score of each strategy over all spaces", std::move(chart)};
}

Figure score_over_budget(const Comparison& comparison) {
  LineChart chart;
  chart.x = {.title = "share of the budget (%)", .log = false, .from_zero = true};
  chart.y = {.title = "score, mean over spaces"};
  chart.height = 360;
  for (size_t i = 0; i < comparison.strategies.size(); ++i) {
    const ComparedStrategy& strategy = comparison.strategies[i];
    chart.series.push_back(curve_of(strategy.score_curve, strategy.name, i, 100, 1));
  }
  if (!is_live(comparison)) chart.references.push_back({.y = 0, .name = "random search"});
  return {"score-over-budget", "Score over the budget", std::move(chart),
          "Mean over the spaces; with up to four strategies its interval as a band."};
}

Figure best_on_space(const Comparison& comparison, size_t space, BudgetAxis axis) {
  const ComparedSpace& on = comparison.spaces[space];
  const bool trials = axis == BudgetAxis::trials;
  const auto line = trials ? &StrategyOnSpace::over_trials : &StrategyOnSpace::over_seconds;
  std::vector<double> all;
  for (const ComparedStrategy& strategy : comparison.strategies) {
    if (space >= strategy.spaces.size()) continue;
    const std::vector<double>& best = (strategy.spaces[space].*line).middle;
    std::ranges::copy_if(best, std::back_inserter(all), [](double t) { return std::isfinite(t); });
  }
  const double slowest = all.empty() ? 0 : std::ranges::max(all);
  const TimeUnit unit = time_unit(std::max(slowest, on.optimum_seconds));
  LineChart chart{.title = on.name, .width = 320, .height = 200, .legend = false};
  chart.x = {.title = trials ? "trials" : "seconds", .log = true};
  chart.y = {.title = fmt::format("best time ({})", unit.name), .log = true};
  for (size_t i = 0; i < comparison.strategies.size(); ++i) {
    const ComparedStrategy& strategy = comparison.strategies[i];
    if (space >= strategy.spaces.size()) continue;
    chart.series.push_back(
        curve_of(strategy.spaces[space].*line, strategy.name, i, 1, unit.per_second));
    chart.series.back().steps = true;
  }
  chart.references.push_back({.y = on.optimum_seconds * unit.per_second,
                              .name = is_live(comparison) ? "best ever" : "optimum",
                              .named_left = true});
  return {fmt::format("best-{}-{}", trials ? "trials" : "time", slug(on.name)),
          fmt::format("{}: best so far over {}", on.name, trials ? "trials" : "time"),
          std::move(chart)};
}

Figure ranks(const Comparison& comparison) {
  RankDiagram diagram;
  for (const ComparedStrategy& strategy : comparison.strategies)
    diagram.names.push_back(strategy.name);
  diagram.average_ranks = comparison.ranks.average_ranks;
  diagram.critical_difference = comparison.ranks.critical_difference;
  for (const TiedGroup& group : comparison.ranks.groups) {
    if (group.size() != 2 || group[0] == group[1]) continue;
    diagram.tied.emplace_back(static_cast<size_t>(group[0]), static_cast<size_t>(group[1]));
  }
  return {"ranks", "Average ranks over the spaces, with Nemenyi's critical difference",
          std::move(diagram)};
}

Figure reached(const Comparison& comparison) {
  LineChart chart;
  chart.x = {.title = "trials", .log = true};
  chart.y = {.title = "pairs of space and target reached (%)", .log = false, .from_zero = true};
  for (size_t i = 0; i < comparison.strategies.size(); ++i) {
    const ComparedStrategy& strategy = comparison.strategies[i];
    const ReachedTargets targets = targets_of(comparison, strategy);
    Curve curve{.name = strategy.name, .points = {{1, 0}}, .steps = true, .colour = i};
    const auto pairs = static_cast<double>(std::max<size_t>(targets.pairs, 1));
    for (size_t k = 0; k < targets.trials.size(); ++k) {
      const double share = 100 * static_cast<double>(k + 1) / pairs;
      const double trials = targets.trials[k];
      if (curve.points.back().x == trials)
        curve.points.back().y = share;
      else
        curve.points.push_back({trials, share});
    }
    curve.points.push_back({most_trials(comparison), curve.points.back().y});
    chart.series.push_back(std::move(curve));
  }
  return {
      "reached", "Targets reached over trials, all spaces", std::move(chart),
      "ECDF as COCO draws it: of all pairs of a space and a target, how many the median run has "
      "reached by then. Targets: 51 times from twice the optimum down to it, evenly on a "
      "logarithm."};
}

DataTable score_table(const Comparison& comparison) {
  using Of = const ComparedStrategy&;
  std::vector<ComparedStrategy> by_score = comparison.strategies;
  std::ranges::stable_sort(by_score, std::greater{},
                           [](Of of) { return of.score.value_or(-1e300); });
  DataTable table = table_of<ComparedStrategy>(
      "scores-table", "Strategies: score and what they come to", by_score,
      {{"strategy", &ComparedStrategy::name},
       {"score", [](Of of) { return number_cell(of.score, 3); }},
       {fmt::format("{:.0f} % interval", 100 * comparison.confidence),
        [&](Of of) { return interval_cell(comparison, of.score_low, of.score_high); }},
       {"trials to 95 %",
        [](Of of) { return bounded_cell(of.trials_to_95, of.trials_to_95_is_lower_bound); }},
       {"seconds to 95 %",
        [](Of of) { return bounded_cell(of.seconds_to_95, of.seconds_to_95_is_lower_bound); }},
       {"best, share of optimum",
        [](Of of) { return number_cell(std::optional(of.geomean_best), 3); }},
       {"wins", &ComparedStrategy::wins},
       {"ties", &ComparedStrategy::ties},
       {"losses", &ComparedStrategy::losses},
       {"cost model", &ComparedStrategy::cost_model},
       {"variant", &ComparedStrategy::variant}});
  table.latex = scores_tex(comparison);
  return table;
}

DataTable quality_table(const Comparison& comparison) {
  DataTable table{.name = "quality",
                  .title = "Trials and seconds to a share of the optimum",
                  .columns = {{"strategy"}},
                  .latex_note = runs_note(comparison) +
                                " Medians over runs, geometric means over spaces; $\\ge$: half of "
                                "the runs or more ended before on some space, whose budget stands "
                                "for their median."};
  if (comparison.strategies.empty()) return table;
  for (const QualityReached& quality : comparison.strategies.front().quality) {
    const std::string share = fmt::format("{:.3g} %", 100 * quality.share);
    table.columns.push_back({"runs at " + share, kNumber});
    table.columns.push_back({"trials to " + share, kNumber, /*has_bounds=*/true});
    table.columns.push_back({"seconds to " + share, kNumber, /*has_bounds=*/true});
  }
  const auto cell = [](const ComparedStrategy& of, const QualityReached& quality,
                       std::optional<double> QualityReached::* value) -> DataCell {
    const std::optional<double>& median = quality.*value;
    if (!median || !std::isfinite(*median)) return text_cell("–");
    return bounded_cell(*median, is_lower_bound(of, quality.share, value));
  };
  for (const ComparedStrategy& of : comparison.strategies) {
    std::vector<DataCell> row{text_cell(of.name)};
    for (const QualityReached& quality : of.quality) {
      row.push_back(number_cell(static_cast<double>(quality.reached),
                                fmt::format("{}/{}", quality.reached, quality.runs)));
      row.push_back(cell(of, quality, &QualityReached::trials));
      row.push_back(cell(of, quality, &QualityReached::seconds));
    }
    row.resize(table.columns.size(), text_cell("–"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

DataTable pair_table(const Comparison& comparison) {
  using Pair = const SpaceTest&;
  const auto difference = [](Pair pair) {
    return number_cell(pair.median_difference, fmt::format("{:+.3f}", pair.median_difference));
  };
  const auto significant = [](Pair pair) {
    return std::ranges::count_if(pair.runs.p_of_spaces, [](double p) { return p < 0.05; });
  };
  const auto over_runs = [](auto PairTest::* member) {
    return [member](Pair pair) { return pair.runs.*member; };
  };
  const std::vector<SpaceTest> pairs = test_over_spaces(comparison);
  DataTable table = table_of<SpaceTest>(
      "pairs", "Strategies in pairs", pairs,
      {{"strategy", over_runs(&PairTest::a)},
       {"against", over_runs(&PairTest::b)},
       {"median difference of scores", difference},
       {"p over spaces", [](Pair pair) { return p_cell(pair.p); }},
       {"Holm", [](Pair pair) { return p_cell(pair.p_holm); }},
       {"spaces with p < 0.05", significant},
       {"p over runs (Holm)", [](Pair pair) { return p_cell(pair.runs.p_holm); }},
       {"r over runs",
        [](Pair pair) {
          return number_cell(pair.run_effect, fmt::format("{:+.2f}", pair.run_effect));
        }},
       {"n", over_runs(&PairTest::n)},
       {"wins", over_runs(&PairTest::wins)},
       {"ties", over_runs(&PairTest::ties)},
       {"losses", over_runs(&PairTest::losses)}});
  table.latex = pairs_tex(comparison);
  return table;
}

DataTable space_table(const Comparison& comparison) {
  using Space = const ComparedSpace&;
  DataTable table = table_of<ComparedSpace>(
      "compared-spaces", "What was compared on", comparison.spaces,
      {{"name", &ComparedSpace::name},
       {"operator", &ComparedSpace::spec, kCode},
       {"points", [](Space space) { return measured_cell(space, space.points); }},
       {"valid", [](Space space) { return measured_cell(space, space.valid); }},
       {"optimum (µs)", [](Space space) { return microseconds_cell(space.optimum_seconds); }},
       {"median (µs)", [](Space space) { return microseconds_cell(space.median_seconds); }},
       {"budget (trials)", &ComparedSpace::trials}});
  table.latex_note = runs_note(comparison);
  return table;
}

// One row per strategy, and not per space: as column titles, names of spaces are the shorter ones.
DataTable space_score_table(const Comparison& comparison) {
  std::vector<ColumnOf<ComparedStrategy>> columns = {{"strategy", &ComparedStrategy::name}};
  for (size_t i = 0; i < comparison.spaces.size(); ++i) {
    columns.emplace_back(comparison.spaces[i].name, [i](const ComparedStrategy& of) {
      return number_cell(i < of.spaces.size() ? of.spaces[i].score : std::nullopt, 3);
    });
  }
  DataTable table =
      table_of("scores-by-space", "Score on each space", comparison.strategies, columns);
  table.latex = spaces_tex(comparison);
  return table;
}

std::vector<LegendEntry> strategy_legend(const Comparison& comparison) {
  std::vector<LegendEntry> entries;
  for (size_t i = 0; i < comparison.strategies.size(); ++i)
    entries.push_back({.name = comparison.strategies[i].name, .series = i});
  return entries;
}

}  // namespace dovetail
