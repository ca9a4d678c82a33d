// SPDX-License-Identifier: Apache-2.0
//
// Ranges of index expressions where some bounds are known to hold:
//
//     X[h + kh - 1] under 0 <= h + kh - 1 < 56     the index lies in [0, 55], not in [-1, 56]
//     X[9*(h + kh - 1) + w] under the same         the bound times 9, and w
//     X[i.0] under 0 <= 2*i.0 + i.1 < 4            lies in [0, 1]: the bound less i.1, halved
//     X[(h + kh - 1) div 4] under the same         lies in [0, 13]: the bound holds inside div, too
//
// The verifier and the counting of work use them.
#pragma once

#include <optional>
#include <span>

#include "core/ir/program/program.h"

namespace dovetail {

// There is no range when a variable has none or 63 bits do not hold it; min > max when the bounds
// cannot all hold.
std::optional<Range> bounded_range(const IndexExpr& e, const Ranges& ranges,
                                   std::span<const Bound> bounds);

// without_division puts the same bound on what is divided instead of on the quotient: where lanes f
// of a vector read, they then share one mask, and an index of f is seen to be inside.
//
//   0 <= h + (f div 3) - 1 < 7   ->   3 <= 3*h + f < 24
Bound without_division(const Bound& bound);

// x = d*(x div d) + x mod d, so the bound says something of the numbers whose remainders it
// mentions: without_remainder gives that.
//
//   0 <= 2*(h mod 3) - 1 < 4   ->   0 <= 2*h - 1 < 16, for h in 0..9
Bound without_remainder(const Bound& bound, const Ranges& ranges);

}  // namespace dovetail
