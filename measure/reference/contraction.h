// SPDX-License-Identifier: Apache-2.0
#pragma once

// contract: sums of products of two factors, over any axes.
//
//   Y[m,n] += X[m,k] * W[n,k]                 extents {m, n, k}, two of the output
//                                             left {1, 0, 1}, right {0, 1, 1}
//   Y[o,h,w] += X[i,h+r,w+s] * W[o,i,r,s]     X has rows h, w; W has o; i, r, s are summed
//
// Output axes that only one factor has are flattened to rows, those that only the other one has to
// columns, and those of both to a batch. For a tile of the result, a few summed positions at a time
// are read from both factors into dense blocks, and multiplied by row_update(). So reading an
// element costs little beside the hundred products that it enters, however its index or its value
// is computed, and a written sum is as fast as a matrix product.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dovetail {

struct Contraction {
  std::vector<int64_t> extents = {};        // one per axis, the output's first
  size_t num_output_axes = 0;               // one axis or more is summed
  std::vector<bool> left = {}, right = {};  // the axes that the factor's elements depend on
};

// Writes the factor's elements while `axis` advances from its value in `at`, which has a value for
// each axis. Called concurrently.
template <typename Number>
using FactorRun =
    std::function<void(const std::vector<int64_t>& at, size_t axis, std::span<Number> elements)>;

// The sums in row-major order of the output axes. Number is float or double.
template <typename Number>
std::vector<Number> contract(const Contraction& axes, const FactorRun<Number>& left,
                             const FactorRun<Number>& right);

}  // namespace dovetail
