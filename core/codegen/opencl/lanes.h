// SPDX-License-Identifier: Apache-2.0
#pragma once

// Index expressions at one point of the text: unrolled loops have constant values, and the lanes of
// a vectorized loop expand one expression into several.
//
//   for i in 0..4 vectorized:  X[8*h + i]   at h = 2   ->   { 16, 17, 18, 19 }   is_contiguous
//                              W[8*h]                  ->   { 16, 16, 16, 16 }   is_uniform
//
// Why values per lane and not strides: they are correct for any expression (i div 2, i mod 3), and
// the differences show which vector load applies.

#include <map>
#include <string>
#include <vector>

#include "core/codegen/opencl/text.h"
#include "core/ir/index/index_expression.h"
#include "core/ir/program/program.h"

namespace dovetail::opencl {

// The vectorized loop's variable is first, …, first + width - 1 in the lanes of one vector value.
struct Lanes {
  std::string variable;  // empty: scalar code
  int64_t first = 0;
  int width = 1;
};

// The loop variables around the statement being written.
struct LoopScope {
  VariableNames names;                                   // loops in the text
  Ranges ranges;                                         // ranges of these
  std::map<std::string, IndexExpr, std::less<>> values;  // unrolled loops
  std::map<std::string, int64_t, std::less<>> extents;   // unrolled inside the innermost real loop
  IndexText index_context() const { return {names, ranges}; }
};

using LaneValues = std::vector<IndexExpr>;  // one per lane

IndexExpr resolve(const IndexExpr& e, const LoopScope& scope);
LaneValues lane_values(const IndexExpr& e, const LoopScope& scope, const Lanes& lanes);

bool is_uniform(const LaneValues& values);
bool is_contiguous(const LaneValues& values);
// Pairwise different, whatever the loop variables are.
bool are_distinct(const LaneValues& values);
// Every value of the expression is a multiple of `divisor`.
bool is_multiple(const IndexExpr& e, int64_t divisor);

enum class Truth : uint8_t { always, never, sometimes };
// Precondition: `bound.expr` is resolved.
Truth truth_of(const Bound& bound, const Ranges& ranges);

// True when `coordinate`, along an image axis of `extent`, is outside of the image exactly when the
// bound fails: the bounded expression is the coordinate's outermost digit, and the remainder stays
// in range.
bool coordinate_covers(const IndexExpr& coordinate, int64_t extent, const Bound& bound,
                       const Ranges& ranges);

}  // namespace dovetail::opencl
