// SPDX-License-Identifier: Apache-2.0
#pragma once

// fold_region: what a region's outputs are where all that it reads is constant.
//
//   Y[a]=real(A[a]-C[0])*B[0]:a=2,A=2xi8,B=1,C=1xi8      of A = {3, -5}, B = {0.5}, C = {1}
//   Y = {1, -3}
//
// Why beside the rules of constant_rules.h: those are for what decides shapes, while the model is
// still ONNX's; weights are made by any operator that a region says (DequantizeLinear, a norm, a
// MatMul of two constants), and this one walk of its values computes them all. Real numbers are
// computed in double and rounded once, when the output is stored.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/ir/graph/graph.h"
#include "core/ir/region/region.h"

namespace dovetail {

using ConstantTensors =
    std::map<std::string, const GraphTensor*, std::less<>>;  // by region's names

// How many values of elements are computed in all.
int64_t folding_steps(const Region& region);

// By the region's names; none where something is not defined (a division of integers by 0).
std::optional<std::map<std::string, ConstantData>> fold_region(const Region& region,
                                                               const ConstantTensors& given);

}  // namespace dovetail
