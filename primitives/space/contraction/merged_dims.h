// SPDX-License-Identifier: Apache-2.0
//
// Merged dims: neighbouring dims that are adjacent in every tensor, iterated as one axis.
//
//   Y[n,o,h,w] = sum(X[n,i,h,w] * W[o,i])     ->     Y[n,o,h_w] = sum(X[n,i,h_w] * W[o,i])
//
// Why: a merged axis has one tail instead of one per row. In tiles of six, 49 elements are eight
// tiles and one element; seven rows of seven are seven tiles and seven elements.
//
// A trace of the merged computation becomes one of the original in either of two ways. In layouts,
// where vectors run over the dims:
//
//   layout Y: split(axis=h_w, factor=8)  ->  layout Y: fuse(a=h, b=w) split(axis=h_w, factor=8)
//
// In loops, where no layout splits them: tensors are stored as without merging.
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

// `dims` lists the pairs in the order in which they were merged.
struct MergedDims {
  Computation computation;
  DimPairs dims;
};

// Merges dims of the output, from `first_dim` on, that every tensor either has adjacent and indexes
// directly, or lacks.
MergedDims with_merged_dims(const Computation& computation, size_t first_dim = 0);

// Replaces the names of merged axes by those of their parts: {o, h_w} becomes {o, h, w}.
void take_apart(const DimPairs& merged, std::vector<std::string>& names);

// `own`: the tensors before merging.
void fuse_in_layouts(const DimPairs& merged, const std::vector<Tensor>& own, Trace& trace);

// Precondition: the trace's layouts do not split merged dims.
void fuse_in_loops(const DimPairs& merged, Trace& trace);

}  // namespace dovetail
