// SPDX-License-Identifier: Apache-2.0
//
// decode: choices -> trace. Layouts and loops split every axis at its register tile and its cache
// tile, a reduction at its unrolled and its inner part. The loop order, outermost first:
//
//   phases (unless in registers) ▸ outer digits (outer_order)
//     ▸ [top of the reduction, if reduction_outside] ▸ cache digits (cache_order)
//     ▸ reduction and windows (reduction_order) ▸ unrolled reduction
//     ▸ register rows ▸ register vectors ▸ lanes
#pragma once

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/contraction/contraction_plan.h"

namespace dovetail {

Trace decode(const ContractionPlan& plan, const Target& target, const Choices& choices);

}  // namespace dovetail
