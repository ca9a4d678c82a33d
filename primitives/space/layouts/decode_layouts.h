// SPDX-License-Identifier: Apache-2.0
//
// The layouts of a point: padded extents, and the layout lines of its trace.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "primitives/space/choices.h"
#include "primitives/space/contraction/contraction_facts.h"

namespace dovetail {

// Extents of the tiled axes and of the pure reduction, rounded up to their tiles unless tails are
// cut. Layouts and loops both split these.
//
//   register_tile.m=4 unroll_part.k=2 of a product with m=7, k=5      {"m": 8, "k": 6}
std::map<std::string, int64_t> padded_extents(const ContractionFacts& facts,
                                              const Choices& choices);

// The layout lines of a point. Physical axes follow one order for every tensor:
//   [batch] [channel tiles, place 0] [rows] [channel tiles, place 1]
//   [these four again, inside a block of the second level (layout_levels.h)] [window]
//   [row tile] [reduction tile] [vector tile]
// which gives NCHWc, NHWC, packed weights and GMM panels from the same few lines.
TensorLayout output_layout(const ContractionFacts& facts, const Choices& choices);
// `access` is one of the computation's inputs.
TensorLayout input_layout(const ContractionFacts& facts, const Choices& choices,
                          const Access& access);

// The layout of a tensor with these dimensions. CHECKs that its lines are legal, as all are that a
// space decodes to.
Layout applied(const TensorLayout& lines, const std::vector<LogicalDim>& dims);

// An input dimension stored as one window per tile of `axis`.
struct UnfoldedRow {
  int64_t before = 0, after = 0;  // zeros around the tensor's elements
  int64_t size = 1, stride = 1;   // elements of a window; distance between windows
  int64_t tiles = 1;              // stored windows
};
UnfoldedRow unfolded_row(const ContractionFacts& facts, const Choices& choices,
                         const Access& access, size_t dim, const std::string& axis);

// Name of the weights, when the bias can be appended to them along the pure reduction; else empty.
std::string host_of_bias(const ContractionFacts& facts);
// Dimensions of an input, with the row of a bias that is stored in it.
std::vector<LogicalDim> stored_dims(const ContractionFacts& facts, const Choices& choices,
                                    const Tensor& tensor);

// Whether an activation's layout is not one-to-one: a separate stage makes the copy that is read.
bool is_copied(const ContractionFacts& facts, const Choices& choices, const Access& access);

// Whether windows of the padded extents leave the tensor: the dimension needs pad, unfold or guard.
bool leaves_tensor(const ContractionFacts& facts, const Choices& choices, const Access& access,
                   size_t dim);

}  // namespace dovetail
