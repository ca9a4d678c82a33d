// SPDX-License-Identifier: Apache-2.0
#pragma once

// ModelInput: what a cost model is shown of a candidate: its program, or what was read off that
// before.
//
//   features_of({.program = &program}, target)    extracted now
//   features_of({.known = &known}, target)        as they were kept
//
// Why two: a comparison of strategies scores the points of one measured space hundreds of times.
// Features of all of them are some megabytes; their programs would be a gigabyte, and lowering
// them again takes a hundred times as long as predicting.

#include <span>
#include <vector>

#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "costmodel/features/features.h"

namespace dovetail {

struct KnownFeatures {
  FeatureVector features;
  double estimated_seconds = 0;  // by the analytic model (features/cost_estimate.h)
};

// One of the two is there; both outlive it. What is known counts.
struct ModelInput {
  const Program* program = nullptr;
  const KnownFeatures* known = nullptr;
};

KnownFeatures know(const Program& program, const Target& target);
FeatureVector features_of(const ModelInput& input, const Target& target);
// 1 / seconds by the analytic model.
std::vector<double> estimated_speeds_of(std::span<const ModelInput> inputs, const Target& target);

}  // namespace dovetail
