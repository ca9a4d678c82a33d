// SPDX-License-Identifier: Apache-2.0
//
// split_factors(products=3): a product of factors in tf32x2 as products of their parts, which are
// factors in tf32: tensor cores then compute what f32 nearly is.
//
//   Y[m, n] = sum(k) tf32x2(X[m, k]) * tf32x2(W[k, n])                               gmm
//
// becomes, with part 0 the number itself and part 1 what tf32 leaves of it,
//
//   X.split[part, m, k] = part < 1 ? X[m, k] : X[m, k] - tf32(X[m, k])               X.split
//   W.split[part, k, n] = part < 1 ? W[k, n] : W[k, n] - tf32(W[k, n])               W.split once
//   Y[m, n] = sum(pair, k) tf32(X.split[pair div 2, m, k]) *
//                          tf32(W.split[pair mod 2, k, n])                           gmm
//
// with pair in 0..3, and the epilogue in the last stage. A constant's parts are stored once, at
// build time. The fourth pair, of both remainders, is less than 2^-20 of the product and left out;
// products=4 has it.
//
// Requires: 1) a sum of products of two tensors of f32, both rounded to tf32x2; 2) 3 or 4 products.
//
// Why stages and not registers: a group copies both parts of a tile as it does taps of a window,
// and each part is multiplied where it lies (primitives/space/tensor_cores/warp_product.h). This is
// 3xTF32 of CUTLASS, after S. Markidis et al., NVIDIA Tensor Core Programmability, Performance &
// Precision, 2018.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "primitives/algorithm/planned_stage.h"

namespace dovetail {

// The stages of both tensors' parts, and that of the products.
Result<std::vector<PlannedStage>> split_stages(const PlannedStage& direct,
                                               const algorithm::SplitFactors& algorithm);

std::string parts_of_factor(const std::string& tensor);  // the name of X.split
inline constexpr const char* kPartOfFactor = "part";     // its first dim

}  // namespace dovetail
