// SPDX-License-Identifier: Apache-2.0
#pragma once

// fold_region: computes a region's outputs from constant inputs.
//
//   Y[a]=real(A[a]-C[0])*B[0]:a=2,A=2xi8,B=1,C=1xi8      of A = {3, -5}, B = {0.5}, C = {1}
//   Y = {1, -3}
//
// Why in addition to the rules of constant_rules.h: those find shapes and move elements, while the
// model is still an ONNX message; whatever computes is a region, and this one evaluator computes
// them all. Real numbers are computed in double and rounded once, when the output is stored.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/ir/graph/graph.h"
#include "core/ir/region/region.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

using ConstantTensors =
    std::map<std::string, const GraphTensor*, std::less<>>;  // by region's names

// The number of element values that are computed in all.
int64_t folding_steps(const Region& region);

// The outputs by the region's names; nullopt if one is undefined (a division of integers by 0), or
// the region has tables.
std::optional<std::map<std::string, NDArray>> fold_region(const Region& region,
                                                          const ConstantTensors& given);

}  // namespace dovetail
