// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `random`: every parameter of the space uniformly from its domain, without repeating
// a trace. The baseline that every other strategy has to beat.
//
// Distinct points may decode to the same trace (a split by 1 vanishes), so traces are told apart by
// their hash. When draws only repeat what was proposed, the rest of the space is enumerated once: a
// small space is thus proposed completely, and ends.

#include "primitives/space/space.h"
#include "search/strategies/strategies.h"
#include "search/strategy.h"

namespace dovetail {

Result<std::unique_ptr<Strategy>> make_random_strategy(const Space& space, uint64_t seed,
                                                       const StrategyOptions& options);

}  // namespace dovetail
