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
#include <optional>

#include "core/ir/region/region.h"
#include "core/ir/value/named_arrays.h"

namespace dovetail {

// The number of element values that are computed in all.
int64_t folding_steps(const Region& region);

// The outputs by the region's names, as the inputs are; nullopt if one is undefined (a division of
// integers by 0), or the region has tables.
std::optional<NamedArrays> fold_region(const Region& region, NamedArrays inputs);

}  // namespace dovetail
