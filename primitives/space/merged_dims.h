// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring dims that every tensor has side by side, run through as one axis.
//
//   Y[n,o,h,w] = sum(X[n,i,h,w] * W[o,i])     ->     Y[n,o,h_w] = sum(X[n,i,h_w] * W[o,i])
//
// Why: what is merged has one end instead of one a row. In tiles of six, 49 elements are eight
// tiles and one element; seven rows of seven are seven tiles and seven elements.
//
// A trace of the merged computation becomes one of the computation itself in either of two ways.
// In layouts, where vectors run over the dims:
//
//   layout Y: split(axis=h_w, factor=8)  ->  layout Y: fuse(a=h, b=w) split(axis=h_w, factor=8)
//
// In loops, where no layout cuts them: tensors are stored as they would be with the dims apart.
//
//   layout Y: reorder(n, o.0, h_w, o.1)                layout Y: reorder(n, o.0, h, w, o.1)
//   loops: split(loop=h_w, factor=6, tail=cut)   ->    loops: fuse(h, w) ; split(loop=h_w, …)
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/ir/operator/computation.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

using DimPairs = std::vector<std::pair<std::string, std::string>>;  // h and w; then d and h_w

// `dims` has the pairs in the order in which they were merged.
struct MergedDims {
  Computation computation;
  DimPairs dims;
};

// Dims of the output from `first_dim` on that every tensor has side by side, as they are, or not at
// all, become one.
MergedDims with_merged_dims(const Computation& computation, size_t first_dim = 0);

// The names of merged axes become those that they were merged from: {o, h_w} is {o, h, w} then.
void take_apart(const DimPairs& merged, std::vector<std::string>& names);

// `own`: the tensors with their dims apart.
void fuse_in_layouts(const DimPairs& merged, const std::vector<Tensor>& own, Trace& trace);

// The trace's layouts have no cut of what was merged.
void fuse_in_loops(const DimPairs& merged, Trace& trace);

}  // namespace dovetail
