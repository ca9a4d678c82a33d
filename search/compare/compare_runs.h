// SPDX-License-Identifier: Apache-2.0
#pragma once

// compare_runs: from the runs of several strategies on several spaces to the Comparison of them.
//
//   const Comparison comparison = TRY(compare_runs({.kind = "simulated", .spaces = …, .arms = …}));
//
// Everything it needs is in the runs; seeds make the bootstraps the same on any day. On spaces
// with statistics (measured completely) scores are the methodology's (score.h); elsewhere, shares
// of the best time ever logged (comparison.h). Bands: percentiles of 500 draws of the runs.

#include <optional>
#include <string>
#include <vector>

#include "search/compare/comparison.h"
#include "search/compare/score.h"

namespace dovetail {

struct SpaceToCompare {
  ComparedSpace about;  // without the budget's seconds
  std::optional<SpaceStatistics> statistics;
};

struct ArmToCompare {
  std::string name;
  std::string strategy, cost_model, variant;
  std::vector<std::vector<RunToCompare>> runs;  // by space, then by seed
};

struct ComparisonInput {
  Comparison about;  // its first fields, up to warm_start; numbers of the bootstrap
  std::vector<SpaceToCompare> spaces;
  std::vector<ArmToCompare> arms;
};

// An error names the strategy and the space that cannot be scored.
Result<Comparison> compare_runs(const ComparisonInput& input);

// Quality levels that comparisons report.
inline constexpr double kQualityShares[] = {0.90, 0.95, 0.99};

}  // namespace dovetail
