// SPDX-License-Identifier: Apache-2.0
#pragma once

// add_adapted_traces: traces that read a tensor as the region in front makes it, though no log has
// them so.
//
//   dw       the fastest trace makes t in blocks of 16
//   project  the fastest trace reads t with channels innermost: a conversion of 2.6 us; the fastest
//            one that reads blocks is 4 us slower
//   ->       the fastest trace of `project` with t's layout line written anew: blocks of 16
//
// Loops do not name an input's axes, so that they stay what they are, and where lanes do not run
// over the input its layout hardly matters to them: the kernel broadcasts its elements.
//
// Nobody has measured these traces. They are alternatives of a search that measures (`global`), at
// first expected to take what the trace took that each was made of, and out of the question by what
// a log says.
//
// Why not in a campaign: which layouts meet is known once all regions have traces, and then a
// network measures them in milliseconds, in the caches that they run in.

#include "core/frontend/partition/partition.h"
#include "core/ir/target.h"
#include "deploy/layouts/alternatives.h"

namespace dovetail {

void add_adapted_traces(const Partition& parts, const Target& target, LayoutAlternatives& found);

}  // namespace dovetail
