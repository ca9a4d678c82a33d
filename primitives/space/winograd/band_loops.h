// SPDX-License-Identifier: Apache-2.0
//
// The loops of Winograd's last stage where the others run in its bands: loops over bands outermost,
// then what the output's layout gives, its coefficients written out, channels in vectors.
//
//   loops: split(loop=h.0, factor=2) ; reorder(n, h.0.0, o.0, h.0.1, w.0, h.1, …, o.1) ; …
//   loops Y.wino: compute_at(stage=c2d, loop=h.0.0, scope=workspace) ; …
//   loops X.wino: compute_at(stage=c2d, loop=h.0.0, scope=workspace)
//
// Threads share the first loop over bands, cut so that it has few parts: each part has a workspace
// of its own, and a large one stays in no cache.
#pragma once

#include "core/ir/schedule/trace.h"
#include "primitives/space/winograd/winograd_space.h"

namespace dovetail {

// The last stage's axis is written in tiles: its tables are read at `axis mod m`.
bool is_window_axis(const Computation& last, const std::string& axis);

// `trace` has the layouts of all tensors, and the product's loops as its only loops.
void run_in_bands(const WinogradSpace& space, const Target& target, const Choices& choices,
                  Trace& trace);

}  // namespace dovetail
