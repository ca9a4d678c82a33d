// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tensors of a region as users see them: in the order of the text, in a framework's shapes.
//
//   tensors_given(region, "grp:ci=8,co=8,h=5,w=5,k=3,g=2+bias")
//       X f32 1x8x5x5    W f32 8x4x3x3    bias f32 8
//   tensors_given(region, "Y[i,j] = B[i] * sum(A[i,j]) : i=4,j=6")
//       B f32 4          A f32 4x6
//
// Computations keep groups as a separate dimension (X[n, g, i, h, w]); the elements and their order
// are the same, so only shapes are translated. An operator's tensors are X, W, then those of its
// epilogues in order; a written region's come in the order in which its text first names them,
// whatever order the region keeps.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/region/region.h"

namespace dovetail {

struct OuterTensor {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;
  friend bool operator==(const OuterTensor&, const OuterTensor&) = default;
};

// `text` is what the region was parsed from.
std::vector<OuterTensor> tensors_given(const Region& region, std::string_view text);
std::vector<OuterTensor> tensors_made(const Region& region);  // in the order of region.outputs

// Fail if this machine's memory cannot hold all tensors of a region, or a single one of a model, as
// a run and its check keep them.
Result<void> check_memory(const Region& region);
Result<void> check_memory(const Graph& graph);

}  // namespace dovetail
