// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include "campaign/compare/compare_options.h"
#include "campaign/tune/campaign.h"

namespace dovetail {

Comparison about_comparison(const CompareOptions& options, int64_t seeds) {
  Comparison about;
  about.tool = tool_name();
  for (uint64_t k = 0; k < static_cast<uint64_t>(seeds); ++k)
    about.seeds.push_back(options.seed + k);
  about.default_first = !options.no_default;
  about.cutoff_start = ScoreOptions().budget.cutoff_start;
  about.cutoff_end = ScoreOptions().budget.cutoff_end;
  about.resolution = static_cast<int64_t>(ScoreOptions().resolution);
  about.resamples = options.resamples;
  about.confidence = BootstrapOptions().confidence;
  about.warm_start = options.train_on;
  return about;
}

Result<CompareOutcome> compare(const CompareOptions& options, const Listener& listener) {
  const std::string strategies = fmt::format("{}", fmt::join(options.strategies, ","));
  const std::vector<Arm> arms = TRY(parse_arms(strategies, options.cost_model));
  for (const Arm& arm : arms) TRY(check_available(arm.strategy));
  const RunsToCompare runs =
      TRY(options.simulate.empty() ? runs_on_device(options, arms, listener)
                                   : runs_on_spaces(options, arms, listener));
  CompareOutcome outcome{.comparison = {}, .ending = runs.ending};
  if (runs.ending == Ending::done) outcome.comparison = TRY(compare_runs(runs.input));
  return outcome;
}

}  // namespace dovetail
