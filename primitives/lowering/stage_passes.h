// SPDX-License-Identifier: Apache-2.0
//
// Passes over one stage, before its nest is built.
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/target.h"

namespace dovetail {

// for n in 0..1 { s(n) }  ->  s(0)
Result<Stage> drop_unit_loops(const Stage& stage);

// Annotations must suit the final loop order: the vectorized loop is innermost, the parallel one
// outermost (CPU), bound ones enclose all others and fit a work-group (OpenCL), the register tile
// and the unrolled code are of a sane size.
Result<Stage> check_annotations(const Stage& stage, const Target& target);

// Position in stage.loops at which the register tile begins: after cache_write's loop, or before
// the first reduction.
size_t tile_position(const Stage& stage);

}  // namespace dovetail
