// SPDX-License-Identifier: Apache-2.0
#pragma once

// compare_runs: makes the Comparison of several strategies from their runs on several spaces.
//
//   const Comparison comparison = TRY(compare_runs({.kind = "simulated", .spaces = …, .arms = …}));
//
// Bootstraps are seeded, so the result depends on the runs alone. On completely measured spaces
// (with statistics) scores are the methodology's (score.h); elsewhere, shares of the best time ever
// logged (comparison.h). Bands: percentiles of draws of the runs, 500 for times, 200 for scores.

#include <optional>
#include <string>
#include <vector>

#include "search/compare/comparison.h"
#include "search/compare/score.h"

namespace dovetail {

struct SpaceToCompare {
  ComparedSpace about;  // first_seconds and last_seconds are filled in later
  std::optional<SpaceStatistics> statistics;
};

struct ArmToCompare {
  std::string name;
  std::string strategy, cost_model, variant;
  std::vector<std::vector<RunToCompare>> runs;  // by space, then by seed
};

struct ComparisonInput {
  Comparison about;  // first fields, up to warm_start, with the bootstrap's numbers
  std::vector<SpaceToCompare> spaces;
  std::vector<ArmToCompare> arms;
};

// An error names the strategy and the space that cannot be scored.
Result<Comparison> compare_runs(const ComparisonInput& input);

// Quality levels that comparisons report.
inline constexpr double kQualityShares[] = {0.90, 0.95, 0.99};

}  // namespace dovetail
