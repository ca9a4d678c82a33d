// SPDX-License-Identifier: Apache-2.0
//
// Layouts of a product's operands as tensor cores read them, and of its output as they make it.
//
//   mma    rows of the reduction      X[m, k]: reorder(m, k)
//   wgmma  blocks of 8 by 8           X[m, k]: split(m, 8) split(k, 8) reorder(m.0, k.0, m.1, k.1)
//          with pixels between them   X[n, i, h, w]: reorder(n.0, i.0, h, w, n.1, i.1)
//          or of pixels               X[1, i, h, w]: reorder(n, i.0, h, w, i.1)
//          tiles that a round copies  W[o, i, kh, kw]: reorder(o.0, i.0, kh, kw, o.1.0, i.1.0, …)
//
// Constants are stored with zeros behind an axis that tiles do not divide, and so is the output; an
// activation is not, because that would take a kernel of its own: reads beyond its end are zeros in
// the copy. Its base is then a dim of its own where eights do not divide it.
#pragma once

#include <vector>

#include "core/ir/schedule/trace.h"
#include "primitives/space/tensor_cores/warp_tile.h"

namespace dovetail::tensor_cores {

// The layouts of both operands, without primitives where they are the tensor's own.
std::vector<TensorLayout> operand_layouts(const WarpProduct& product, const WarpTile& tile);
TensorLayout output_layout(const WarpProduct& product, const WarpTile& tile);

// True if tiles that a round copies can be a second level of the operand's layout, beside blocks.
bool has_second_level(const WarpProduct& product, const WarpTile& tile,
                      const ProductOperand& operand);

// True if the dim of the operand's base is split into eights; else it is stored whole.
bool splits_base(const ProductOperand& operand);

// Eights of the output that its layout splits, where it has blocks: loops over them exist.
std::vector<std::string> axes_in_eights(const WarpProduct& product, const WarpTile& tile);

}  // namespace dovetail::tensor_cores
