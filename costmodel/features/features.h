// SPDX-License-Identifier: Apache-2.0
#pragma once

// Features: what a cost model sees of a program: a vector of fixed length, the same names in the
// same order for every operator and target.
//
//   const FeatureVector features = extract_features(program, target);
//   features[i]                       is the value of feature_names()[i]
//
//   program.…    sizes: multiply-adds, bytes, kernels, temporaries
//   layout.…     bytes stored per byte of tensor, memory scopes
//   body.…       the straight-line code around the heaviest statement: lanes, unrolling, registers,
//                instructions per multiply-add
//   a.… b.… out.…  its two factors and its target: strides, reuse, footprint
//   level1.… to level6.…  its loops from the inside: iterations, bytes against the caches
//   traffic.…    bytes into each cache per multiply-add
//   spread.…     parallel iterations, work-groups and work-items against the device's
//   estimate.…   the analytic model's parts (cost_estimate.h)
//   task.…       work and estimate against the size of the task, which candidates share
//
// A feature that a program has not (strides of a factor that is not there) is 0. The version
// changes whenever a name, the order or a meaning does: models are kept with it, and with the
// names. Numbers that are sizes are logarithms to base 2 of one more, so that a network or a
// distance could use them as well; trees do not care.

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
