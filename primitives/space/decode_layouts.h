// SPDX-License-Identifier: Apache-2.0
//
// The layout lines of a point. Physical axes follow one order for every tensor:
//   [batch] [channel tiles, place 0] [rows] [channel tiles, place 1] [window]
//   [row tile] [reduction tile] [vector tile]
// which gives NCHWc, NHWC, packed weights and GMM panels from the same few lines.
#pragma once

#include <string>
#include <vector>

#include "core/ir/trace.h"
#include "primitives/space/choices.h"
#include "primitives/space/structure.h"

namespace dovetail {

TensorLayout output_layout(const Structure& structure, const Choices& choices);
// `access` is one of the computation's inputs.
TensorLayout input_layout(const Structure& structure, const Choices& choices, const Access& access);

// The weights, when a bias can be stored under them along the pure reduction; else empty.
std::string host_of_bias(const Structure& structure);
// Dimensions of an input, with the row of the bias that it holds.
std::vector<LogicalDim> stored_dims(const Structure& structure, const Choices& choices,
                                    const Tensor& tensor);

// True when the windows of a padded box leave the tensor: the dimension needs pad, unfold or guard.
bool leaves_tensor(const Structure& structure, const Choices& choices, const Access& access,
                   size_t dim);

}  // namespace dovetail
