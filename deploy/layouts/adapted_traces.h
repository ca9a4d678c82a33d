// SPDX-License-Identifier: Apache-2.0
#pragma once

// add_adapted_traces: adds variants of a region's traces that read a tensor in its producer's
// layout, where no logged trace does.
//
//   dw       the fastest trace makes t in blocks of 16
//   project  the fastest trace reads t with channels innermost: a conversion of 2.6 us; the fastest
//            one that reads blocks is 4 us slower
//   ->       the fastest trace of `project` with t's layout line written anew: blocks of 16
//
// Loops do not refer to an input's axes, so they stay unchanged; and where vector lanes do not run
// along the input, its layout hardly matters to them: the kernel broadcasts its elements.
//
// These traces have never been measured. They are alternatives for the measuring search (`global`),
// which at first estimates each at the time of the trace it was derived from; costs taken from a
// log alone exclude them.
//
// Why not in a campaign: which layouts meet is known only once all regions have traces, and then a
// run of the network times them in milliseconds, with the caches as they will be.

#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "deploy/layouts/alternatives.h"

namespace dovetail {

void add_adapted_traces(const Partition& parts, const Target& target, LayoutAlternatives& found);

}  // namespace dovetail
