// SPDX-License-Identifier: Apache-2.0
//
// Ranges of index expressions where some bounds are known to hold:
//
//     X[h + kh - 1] under 0 <= h + kh - 1 < 56     the index lies in [0, 55], not in [-1, 56]
//     X[(h + kh - 1) div 4] under the same         lies in [0, 13]: the bound holds inside div, too
//
// Of use to the verifier and to the counting of work.
#pragma once

#include <optional>
#include <span>

#include "core/ir/program.h"

namespace dovetail {

// Nothing when a variable has no range or 63 bits do not hold it; min > max when the bounds cannot
// all hold.
std::optional<Range> bounded_range(const IndexExpr& e, const Ranges& ranges,
                                   std::span<const Bound> bounds);

}  // namespace dovetail
