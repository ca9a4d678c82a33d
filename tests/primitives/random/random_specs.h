// SPDX-License-Identifier: Apache-2.0
//
// Random written regions: one to three statements, elementwise or reductions, which read given
// tensors and earlier results, also out of bounds and at indices taken from data.
//
//   std::mt19937_64 rng(1);
//   random_spec(rng)
//     Y0[a]max=real(A1[a+b-1]*2-9);Y1[a,b]+=Y0[a-1]*B2[clamp(C3[c],0,4),b]:a=5,b=4,c=3,A1=8xi32,…
//
// Besides the forms of kRegionSpecs: indices from data along reduced axes, axes that no operand
// has, maxima and minima of integers that lie outside, several reductions in one region, and
// statements behind them.
#pragma once

#include <random>
#include <string>

namespace dovetail::testing {

std::string random_spec(std::mt19937_64& rng);

}  // namespace dovetail::testing
