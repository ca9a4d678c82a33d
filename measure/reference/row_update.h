// SPDX-License-Identifier: Apache-2.0
#pragma once

// row_update: the inner loop of references.
//
//   y[i] += w[0] * x[0][i] + w[1] * x[1][i] + ... + w[7] * x[7][i]
//
// Eight products for each load and store of y: the row of y may be in L2 while the eight rows of x
// stay in L1. Compiled for several vector widths; the widest that the machine has is used.

#include <cstdint>

namespace dovetail {

inline constexpr int64_t kUpdateRows = 8;

// Row j of x starts at x + j * x_step. A missing row needs weight 0.
void row_update(float* y, const float* x, int64_t x_step, const float* w, int64_t count);
void row_update(double* y, const double* x, int64_t x_step, const double* w, int64_t count);

}  // namespace dovetail
