// SPDX-License-Identifier: Apache-2.0
//
// Copies of a tile that rounds of a loop use in turn: a round reads what one before it stored.
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

struct StoredAhead {
  int64_t rounds = 1;       // from the one that stores to the one that reads
  std::vector<Range> hull;  // ranges of the indices after the copy's
};

// Where the body of the loop stores to the copy of `target` that a later round knows as `copy`;
// nullopt where it does not. `around`: ranges of the loops around the body, this one included.
std::optional<StoredAhead> stored_ahead(const Loop& loop, const std::string& target,
                                        const IndexExpr& copy, const Ranges& around);

}  // namespace dovetail
