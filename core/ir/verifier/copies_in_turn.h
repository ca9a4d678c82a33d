// SPDX-License-Identifier: Apache-2.0
//
// Copies of a tile that rounds of a loop use in turn: a round reads what the one before it stored.
//
//   t[0, x] = W[x]
//   for k in 0..3
//     acc[0] += t[k mod 2, x]             stored by round k - 1, or before the loop
//     t[(k + 1) mod 2, x] = W[8*k + x + 8]
//
// Used by the verifier, which otherwise follows the order of statements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/index/index_expression.h"
#include "core/ir/program/program.h"

namespace dovetail {

// Where the body of the loop stores to the copy of `target` that the next round knows as `copy`:
// the hull of the other indices; nullopt where it does not. `around`: ranges of the loops around
// the body, this one included.
std::optional<std::vector<Range>> stored_for_next_round(const Loop& loop, const std::string& target,
                                                        const IndexExpr& copy,
                                                        const Ranges& around);

}  // namespace dovetail
