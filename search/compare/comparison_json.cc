// SPDX-License-Identifier: Apache-2.0
// One list of fields per struct. Six digits, because bands are not more precise than that.
#include <fmt/format.h>

#include "core/record/line/fields.h"
#include "search/compare/comparison.h"

namespace dovetail {

auto fields_of(Of<Series> auto& series) {
  return std::tuple(Field{"at", series.at}, Field{"middle", series.middle},
                    Field{"low", series.low}, Field{"high", series.high});
}

auto fields_of(Of<QualityReached> auto& quality) {
  return std::tuple(Field{"share", quality.share}, Field{"runs", quality.runs},
                    Field{"reached", quality.reached}, Field{"trials", quality.trials},
                    Field{"seconds", quality.seconds});
}

auto fields_of(Of<ComparedSpace> auto& space) {
  return std::tuple(
      Field{"name", space.name}, Field{"spec", space.spec}, Field{"target", space.target},
      Field{"source", space.source}, Field{"tool", space.tool}, Field{"points", space.points},
      Field{"valid", space.valid}, Field{"optimum_seconds", space.optimum_seconds},
      Field{"median_seconds", space.median_seconds}, Field{"trials", space.trials},
      Field{"first_seconds", space.first_seconds}, Field{"last_seconds", space.last_seconds},
      Field{"scored_trials", space.scored_trials, AnyValue{}, Presence::unless_empty});
}

auto fields_of(Of<StrategyOnSpace> auto& of) {
  return std::tuple(Field{"space", of.space}, Field{"score", of.score},
                    Field{"score_low", of.score_low}, Field{"score_high", of.score_high},
                    Field{"run_scores", of.run_scores}, Field{"best_seconds", of.best_seconds},
                    Field{"trials", of.trials}, Field{"rejected", of.rejected},
                    Field{"search_seconds", of.search_seconds},
                    Field{"model_seconds", of.model_seconds}, Field{"over_trials", of.over_trials},
                    Field{"over_seconds", of.over_seconds}, Field{"score_curve", of.score_curve},
                    Field{"quality", of.quality});
}

auto fields_of(Of<ComparedStrategy> auto& of) {
  return std::tuple(Field{"name", of.name}, Field{"score", of.score},
                    Field{"score_low", of.score_low}, Field{"score_high", of.score_high},
                    Field{"trials_to_95", of.trials_to_95}, Field{"geomean_best", of.geomean_best},
                    Field{"strategy", of.strategy}, Field{"cost_model", of.cost_model},
                    Field{"variant", of.variant}, Field{"score_deviation", of.score_deviation},
                    Field{"trials_to_95_is_lower_bound", of.trials_to_95_is_lower_bound},
                    Field{"seconds_to_95", of.seconds_to_95},
                    Field{"seconds_to_95_is_lower_bound", of.seconds_to_95_is_lower_bound},
                    Field{"wins", of.wins}, Field{"ties", of.ties}, Field{"losses", of.losses},
                    Field{"quality", of.quality}, Field{"score_curve", of.score_curve},
                    Field{"spaces", of.spaces});
}

auto fields_of(Of<PairTest> auto& pair) {
  return std::tuple(Field{"a", pair.a}, Field{"b", pair.b}, Field{"n", pair.n},
                    Field{"mean_difference", pair.mean_difference}, Field{"p", pair.p},
                    Field{"p_holm", pair.p_holm}, Field{"exact", pair.exact},
                    Field{"wins", pair.wins}, Field{"ties", pair.ties},
                    Field{"losses", pair.losses}, Field{"p_of_spaces", pair.p_of_spaces});
}

auto fields_of(Of<FriedmanTest> auto& ranks) {
  return std::tuple(Field{"statistic", ranks.statistic}, Field{"p", ranks.p},
                    Field{"critical_difference", ranks.critical_difference},
                    Field{"average_ranks", ranks.average_ranks}, Field{"groups", ranks.groups});
}

auto fields_of(Of<Comparison> auto& all) {
  return std::tuple(
      Field{"version", all.version}, Field{"kind", all.kind}, Field{"score_is", all.score_is},
      Field{"tool", all.tool}, Field{"target", all.target}, Field{"seeds", all.seeds},
      Field{"budget_share", all.budget_share}, Field{"default_first", all.default_first},
      Field{"cutoff_start", all.cutoff_start}, Field{"cutoff_end", all.cutoff_end},
      Field{"resolution", all.resolution}, Field{"resamples", all.resamples},
      Field{"confidence", all.confidence}, Field{"again", all.again},
      Field{"warm_start", all.warm_start}, Field{"spaces", all.spaces},
      Field{"strategies", all.strategies}, Field{"pairs", all.pairs}, Field{"ranks", all.ranks});
}

std::string print_json(const Comparison& comparison) {
  return json_of(comparison, Reals::six_digits) + "\n";
}

Result<Comparison> parse_comparison(std::string_view text) {
  Result<JsonFields> json = JsonFields::parse(text);
  if (!json) return fail("not a JSON object, expected what compare writes");
  Comparison comparison;
  const int64_t version = json->integer("version", std::numeric_limits<int64_t>::min());
  if (version != comparison.version)
    json->mistake("version", fmt::format("found {}, expected {}", version, comparison.version));
  read_fields(*json, fields_of(comparison), Reals::six_digits);
  TRY(json->check());
  return comparison;
}

}  // namespace dovetail
