// SPDX-License-Identifier: Apache-2.0
//
// The default trace's rule: a register tile chosen by a formula from the shape and the target
// alone, everything else fixed.
//
// With nv vectors and rw × rh × rd rows, acc = nv·rw·rh·rd accumulators within the registers, it
// maximises
//
//   use · min(1, acc / 12) / max(1, loads + 0.37)
//       · (1 - 0.02 [rh > 1] - 0.02 [rd > 1]) · (1 - 0.004 |acc - 15|)
//       · (weights larger than L2 ? 1 - 0.3 / rows : 1) + 0.0005·rw
//   use   = share of the padded box that is the operator's
//   loads = (rows + nv) / acc, values loaded a multiply-add
//
// With 16 registers 10 accumulators are wanted (depthwise 4), and a padded box costs a copy: use is
// multiplied by K / (K + 12), K the multiply-adds of an element, and by 0.9 on a device.
//
// (two multiply-adds and two loads a cycle, a latency of four: 12 accumulators hide it, a load a
// multiply-add is too many). Where both inputs have the vector axis (depthwise), loads is 0.5 and
// 7 accumulators are wanted instead of 15, so that the window's weights stay in registers beside
// them. Without a pure reduction the windows are written out as far as 256 multiply-adds go. One
// vector: windows are written out, innermost first. More: the
// reduction is unrolled by 4 (2 beyond 16 accumulators) in blocks of at most 16. Weights are tiled
// by the whole register tile, outputs by one vector; on a CPU by 16 channels, as inputs are, so
// that what one operator stores the next one reads: two vectors of 8, which depthwise operators
// compute in turn. On a CPU the input is read
// as it is: lowering clips and peels the borders (docs/decisions/0011), which was faster than a
// padding pass on every convolution that was measured. On a device it is padded, and for transposed
// convolutions, whose bounds move with the phase. Phases (transposed
// convolutions) join the tile where that saves loads, because they share the values of X; each axis
// of them costs 3 %.
#pragma once

#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/structure.h"

namespace dovetail {

Choices default_choices(const Structure& structure, const Target& target);

}  // namespace dovetail
