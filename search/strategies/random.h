// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `random`: every parameter of the space evenly from its domain, what is mostly off as
// often as the space says (off_percent), without repeating a trace (unseen_points.h). The baseline
// that every other strategy has to beat.

#include "search/strategies/strategies.h"

namespace dovetail {

std::unique_ptr<Strategy> make_random(const StrategyContext& context, const NoOptions&);

}  // namespace dovetail
