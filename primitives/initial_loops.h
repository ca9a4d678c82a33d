// SPDX-License-Identifier: Apache-2.0
//
// The loops that stages have before any primitive.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/ir/operator/computation.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// Converts indices of an element in storage to indices in the tensor:
//
//   Y[n=1, o=64, h=56] as [o@16:4] [n@1:1] [h@1:56] [o@1:16]
//   physical [o.0, 0, h, o.1]   ->   logical [0, 16*o.0 + o.1, h]
//
// All variables must have a range in `ranges`. The first digit of an axis does not wrap, so that an
// index beyond the extent stays beyond it.
std::vector<IndexExpr> logical_indices(const Layout& layout, const std::vector<IndexExpr>& physical,
                                       const Ranges& ranges);

// Gives a stage one loop per physical axis of its output, and each axis of its computation a value,
// a sum of digits of these loops:
//
//   Y[n=1, o=64, h=56] as [o@16:4 =o.0] [n@1:1] [h@1:56] [o@1:16 =o.1]
//   ->  loops o.0 n h o.1      o = 16*o.0 + o.1, n = n, h = h      stores [o.0, n, h, o.1]
//
// A stage that runs inside its consumer computes only a part: its loops have the part's extents,
// and axis values count from the part's start. Reduction loops that the stage has stay, innermost.
Stage with_output_loops(const Stage& stage, const Layout& layout);

// Sets the values of the output's axes for the physical index of the computed element.
void set_output_axes(const std::vector<IndexExpr>& physical, const Layout& layout, Stage& stage);

// Whether the storage beyond the dimension's last element is zero, so that a sum of products may
// run over it without a bounds check.
using ZeroBeyond = std::function<bool(const std::string& tensor, size_t dim)>;

// A stage before any loop primitive: one loop for each physical axis of its output, then one for
// each reduction axis; loops of data-dependent indices are inside all loops that they depend on.
//
//   Y[n, o, h] += X[n, i, h + k] * W[o, i, k],  Y as [n] [o.0] [h] [o.1]
//     loops n, o.0, h, o.1, i, k     with o = 16*o.0 + o.1
//
// `layouts` has every tensor of the computation.
Stage build_stage(std::string name, Computation computation,
                  const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero);

}  // namespace dovetail
