// SPDX-License-Identifier: Apache-2.0
//
// Copies that the work-items of a group make together of elements that lie one after another on
// both sides, so that a device may copy them in one piece (bulk copies: cp.async.bulk):
//
//   for w in 0..4 bind thread.1                 pieces of 32 elements, one for each u:
//     for v in 0..8 bind thread.0          ->     t[c, 32*u] and the next ones
//       for u in 0..2                             = X[r, u, 0] and the next ones
//         t[c, 32*u + 8*w + v] = X[r, u, 8*w + v] async
//
// A nest that checks bounds, converts, or leaves gaps is none.
//
// Why the emitter finds them: a nest over work-items is what every device can run, and its meaning;
// whether it is one piece follows from the operands' layouts, which the trace says.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/ir/index/index_expression.h"
#include "core/ir/program/program.h"

namespace dovetail {

struct GroupCopy {
  const Store* store = nullptr;
  std::vector<const Loop*> pieces;  // loops of the nest with a piece in each iteration
  int64_t elements = 0;             // in a piece
  IndexExpr to, from;               // a piece's first element in the tile and in the buffer, flat
};

// By the nest's outermost loop. Pieces begin at multiples of so many bytes on both sides, and have
// such lengths.
using GroupCopies = std::map<const Loop*, GroupCopy>;
GroupCopies group_copies(const Program& program, const Kernel& kernel, int64_t aligned_bytes);

}  // namespace dovetail
