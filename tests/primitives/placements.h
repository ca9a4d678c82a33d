// SPDX-License-Identifier: Apache-2.0
//
// A trace with random placements: padding passes inlined or attached to a loop of their consumer,
// factors cached in private, local or workspace tiles, some double-buffered.
//
//   std::mt19937_64 rng(1);
//   const Trace placed = with_placements(op, space.decode(space.sample(rng)), cpu(), rng);
#pragma once

#include <random>

#include "core/ir/operator/operator.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail::testing {

// `trace` is legal; the result need not be.
Trace with_placements(const Operator& op, const Trace& trace, const Target& target,
                      std::mt19937_64& rng);

}  // namespace dovetail::testing
