// SPDX-License-Identifier: Apache-2.0
//
// The default trace's rule: a register tile chosen by a formula (register_tile.h), and what follows
// from it.
//
// Without a pure reduction the windows are written out as far as 256 multiply-adds go. One vector:
// windows are written out, innermost first. More: the reduction is unrolled by 4 (2 beyond 16
// accumulators) in blocks of at most 16. Weights are tiled by the whole register tile, outputs by
// one vector; on a CPU by 16 channels, as inputs are, so that what one operator stores the next one
// reads: two vectors of 8, which depthwise operators compute in turn. On a CPU the input is read as
// it is: lowering clips and peels the borders (docs/decisions/0011), which was faster than a
// padding pass on every convolution that was measured. On a device it is padded, and for transposed
// convolutions, whose bounds move with the phase.
#pragma once

#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/structure.h"

namespace dovetail {

Choices default_choices(const Structure& structure, const Target& target);

}  // namespace dovetail
