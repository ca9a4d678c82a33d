// SPDX-License-Identifier: Apache-2.0
#pragma once

// Features: a program as a cost model sees it: a vector of fixed length, with the same names in the
// same order for every operator and target.
//
//   const FeatureVector features = extract_features(program, target);
//   features[i]                       is the value of feature_names()[i]
//
//   program.…    sizes: multiply-adds, bytes, kernels, temporaries
//   layout.…     bytes stored per byte of tensor, memory scopes
//   body.…       the straight-line code around the heaviest statement: lanes, unrolling, registers,
//                instructions per multiply-add
//   a.… b.… out.…  the statement's two operands and its target: strides, reuse, footprint
//   level1.… to level6.…  its loops from the inside: iterations, bytes against the caches
//   traffic.…    bytes into each cache per multiply-add
//   spread.…     parallel iterations, work-groups and work-items against the device's
//   estimate.…   the analytic model's parts (cost_estimate.h)
//   task.…       work and estimate against the size of the task, which candidates share
//
// A feature that does not apply (strides of a missing operand) is 0. The version changes whenever a
// name, the order or a meaning does: saved models hold the version and the names. Sizes are stored
// as log2(1 + size), so that a model that goes by distances (a network) could use them as well;
// trees do not care.

#include <span>
#include <string>
#include <vector>

#include "core/ir/program/program.h"
#include "core/ir/target.h"

namespace dovetail {

inline constexpr int kFeatureVersion = 2;

using FeatureVector = std::vector<float>;

FeatureVector extract_features(const Program& program, const Target& target);

std::span<const std::string> feature_names();

// `name = value` lines, in order.
std::string print_features(const FeatureVector& features);

}  // namespace dovetail
