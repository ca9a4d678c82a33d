// SPDX-License-Identifier: Apache-2.0
//
// Regions whose stages read windows of each other, and random traces that attach them, keep what
// neighbouring windows share in rings, and hold the parts in private memory or in workspace.
//
//   for (const char* spec : kSlidingSpecs)
//     const Trace trace = sliding_trace(written_region(spec), cpu(), rng);
#pragma once

#include <random>
#include <span>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail::testing {

extern const std::span<const char* const> kSlidingSpecs;

// An inverted bottleneck in one kernel: bands of rows of the last convolution, the
// expanded rows in a ring, each convolution with its own register tile and vectors.
extern const char* const kBottleneckSpec;
extern const char* const kBottleneckTrace;

Trace sliding_trace(const Region& region, const Target& target, std::mt19937_64& rng);
bool rolls(const Trace& trace);

}  // namespace dovetail::testing
