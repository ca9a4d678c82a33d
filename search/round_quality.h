// SPDX-License-Identifier: Apache-2.0
#pragma once

// judge_round: how well the cost model ordered a round, once its results are there.
//
//   judge_round({{.score = 0.9, .seconds = 2e-6}, {.score = 0.7, .seconds = 1e-6}, ...})
//       RoundRecord{.candidates = 16, .valid = 15, .kendall_tau = 0.41, ...}
//
// The round is what was measured, which a strategy may have picked by the same model from many
// more: candidates that are all expected to be fast are harder to order than random ones. So the
// figures compare models and rounds of one strategy, not strategies.

#include <optional>
#include <span>

#include "core/record/line/round_record.h"

namespace dovetail {

struct ScoredResult {
  double score = 0;                                  // before it was measured
  std::optional<double> fresh_score = std::nullopt;  // of a model without the warm start
  std::optional<double> seconds = std::nullopt;      // none: it failed
};

// Which round it is, of what and when, is the caller's to say. Nothing where fewer than two
// candidates are valid.
std::optional<RoundRecord> judge_round(std::span<const ScoredResult> results);

}  // namespace dovetail
