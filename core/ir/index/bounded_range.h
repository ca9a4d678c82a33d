// SPDX-License-Identifier: Apache-2.0
//
// Ranges of index expressions under bounds that are known to hold:
//
//     X[h + kh - 1] under 0 <= h + kh - 1 < 56     the index lies in [0, 55], not in [-1, 56]
//     X[9*(h + kh - 1) + w] under the same         the bound times 9, and w
//     X[i.0] under 0 <= 2*i.0 + i.1 < 4            lies in [0, 1]: the bound less i.1, halved
//     X[(h + kh - 1) div 4] under the same         lies in [0, 13]: the bound holds inside div, too
//
// Used by the verifier and by the counting of work.
#pragma once

#include <optional>
#include <span>

#include "core/ir/program/program.h"

namespace dovetail {

// nullopt when a variable has no range or a limit exceeds 63 bits; min > max when the bounds cannot
// all hold.
std::optional<Range> bounded_range(const IndexExpr& e, const Ranges& ranges,
                                   std::span<const Bound> bounds);

// without_division turns a bound on a quotient into the same bound on the dividend, so that the
// lanes f of a vector load share one mask, and an index over f can be proved to be in range.
//
//   0 <= h + (f div 3) - 1 < 7   ->   3 <= 3*h + f < 24
Bound without_division(const Bound& bound);

// without_remainder turns a bound on remainders into the weaker bound on their dividends that
// x = d*(x div d) + x mod d implies.
//
//   0 <= 2*(h mod 3) - 1 < 4   ->   0 <= 2*h - 1 < 16, for h in 0..9
Bound without_remainder(const Bound& bound, const Ranges& ranges);

}  // namespace dovetail
