// SPDX-License-Identifier: Apache-2.0
//
// Random small operators of a kind, every key of its spec drawn: batches, groups, multipliers,
// strides, dilations, padding before and after, output padding, extents of one, epilogues, tails.
//
//   std::mt19937_64 rng(1);
//   print(random_operator(OperatorKind::t2d, rng))   t2d:ci=3,co=5,h=4,w=1,k=3x2,s=2x1,p=0:1x0+relu
#pragma once

#include <random>

#include "core/ir/operator/operator.h"

namespace dovetail::testing {

Operator random_operator(OperatorKind kind, std::mt19937_64& rng);

}  // namespace dovetail::testing
