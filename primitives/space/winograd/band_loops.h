// SPDX-License-Identifier: Apache-2.0
//
// Loops of Winograd's last stage where the others run in its bands: loops over bands outermost,
// then the axes of the output's layout, coefficients unrolled, channels in vectors.
//
//   loops: split(loop=h.0, factor=2) ; reorder(n, h.0.0, o.0, h.0.1, w.0, h.1, …, o.1) ; …
//   loops Y.wino: compute_at(stage=c2d, loop=h.0.0, scope=workspace) ; …
//   loops X.wino: compute_at(stage=c2d, loop=h.0.0, scope=workspace)
//
// The first loop over bands is parallel, split into few parts: each part has its own workspace, and
// many of those would stay in no cache.
#pragma once

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/winograd/winograd_plan.h"

namespace dovetail {

// Whether the last stage writes the axis in tiles: its tables are indexed by `axis mod m`.
bool is_window_axis(const Computation& last, const std::string& axis);

// Precondition: `trace` has the layouts of all tensors, and of loops only the product's.
void run_in_bands(const WinogradPlan& plan, const Target& target, const Choices& choices,
                  Trace& trace);

}  // namespace dovetail
