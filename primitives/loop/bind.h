// SPDX-License-Identifier: Apache-2.0
//
// bind(loop, group.0): run the iterations of a loop as work-groups (group.0 … group.2) or
// work-items (thread.0 … thread.2) of a device.
//
//   for h in 0..56  ->  for h in 0..56 bind group.0
//
// Requires: 1) the loop exists and has no annotation; 2) it is an output loop; 3) no other loop of
// the stage has this axis; when lowered 4) bound loops enclose all others, 5) the product of the
// thread axes is within the device's work-group limit and 6) each of them within the device's limit
// along this axis, which may be lower: 64 along thread.2 where a group has up to 1024.
// Elsewhere: bind (TVM), gpu_blocks and gpu_threads (Halide).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

Result<Stage> apply(const loop::Bind& bind, const Stage& stage);

}  // namespace dovetail
