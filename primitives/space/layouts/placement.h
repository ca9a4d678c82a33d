// SPDX-License-Identifier: Apache-2.0
//
// Where copies run: the padding pass of the first input inside its reader's loops (compute_at), and
// tiles of the operands copied to memory of their own (cache_read). All are off by default, and in
// 90 of 100 samples each.
//
//   pad_at.X       root    a kernel of its own
//                  block   inside the loops around the cache loops
//                  tile    inside all loops around the register tile
//   cache_read.X   none, block, tile                       (CPU: memory of the thread)
//   cache_read.W   none, block
//   cache_read.T   none, top: inside the loop over the reduction's top
//                                           (OpenCL: local memory, filled by the work-group)
//
// Only what the primitives accept is offered, judged by a bound: the part that one round reads,
// with windows and the reduction whole, is at most 64 KiB (4 KiB for a work-item's own, half of the
// local memory for a work-group's). Only with the weights and on a device is the reduction's block
// looked at, which would tie all parameters of an input together and make spaces uncountable.
// Where the pass is moved, the input is padded wherever a window leaves it: else there is no pass.
#pragma once

#include <memory>

#include "core/ir/target.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/structure.h"

namespace dovetail {

enum CopyPlace : int64_t {
  kNowhere = 0,  // of a padding pass: root
  kInBlock = 1,
  kInTile = 2,
  kInTop = 3,
};

// After register and cache tiles, before the choice of the first input's storage.
void add_padding_place(const std::shared_ptr<const Structure>& structure, const Target& target,
                       ParameterList& list);
// After pad_at, inner_part, rfactor and reduction_outside.
void add_staging(const std::shared_ptr<const Structure>& structure, const Target& target,
                 ParameterList& list);

// The parameter that moves the first input's padding pass.
ParameterId padding_place(const Structure& structure);

}  // namespace dovetail
