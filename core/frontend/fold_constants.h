// SPDX-License-Identifier: Apache-2.0
#pragma once

// fold_constants: weights that a model computes from constants become constants.
//
//   w = ConstantOfShape {value=0.5} ([64,3,7,7])     becomes    constant w: f32[64,3,7,7]
//
// Folded: ConstantOfShape; and of constants Identity, Reshape, Flatten, Squeeze, Unsqueeze and
// Transpose.
// An Identity or a Dropout at inference of anything else is left out, its readers read its input.

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

Result<void> fold_constants(Graph& graph);

}  // namespace dovetail
