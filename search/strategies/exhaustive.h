// SPDX-License-Identifier: Apache-2.0
#pragma once

// The strategy `exhaustive`: every point in lexicographic order of the domains, the last parameter
// first; a trace that several points decode to once. For spaces small enough to be measured
// completely, and as the reference that says what the others missed.

#include "search/strategies/strategies.h"

namespace dovetail {

std::unique_ptr<Strategy> make_exhaustive(const StrategyContext& context, const NoOptions&);

}  // namespace dovetail
