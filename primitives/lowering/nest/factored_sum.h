// SPDX-License-Identifier: Apache-2.0
//
// The nest of a stage that multiplies one tensor by tables of constants (Winograd's transforms):
//
//   V[ah, aw, t] = sum(rh, rw) BT[ah, rh] * BT[aw, rw] * X[2*t + rh, rw]
//
// One axis after the other, loops over the tables unrolled, products with numbers simplified:
//
//   for t in 0..28
//     registers V.sum_1[1, 4]
//     V.sum_1[0, 0] = X[2*t, 0] - X[2*t + 2, 0]                 ah = 0, along rh, for each rw
//     V.sum_1[0, 1] = X[2*t, 1] - X[2*t + 2, 1]
//     …
//     V[0, 0, t] = V.sum_1[0, 0] - V.sum_1[0, 2]                along rw
//     V[0, 1, t] = V.sum_1[0, 1] + V.sum_1[0, 2]
//     …
//     V.sum_1[0, 0] = X[2*t + 1, 0] + X[2*t + 2, 0]             ah = 1
//     …
//
// Rows of a table that have partial sums in common are computed together (shared_sums.h), each as
// a member of the group in `sum_1[member, …]`.
//
// Why one axis at a time: BT of F(4,3) has 22 nonzero elements, so that a tile and channel takes
// 22·22 = 484 terms when both axes are summed at once, and 22·6·2 = 264 one after the other;
// F(2,3), with 8, takes 48 additions against 32, and 448 against 192 in three dimensions. Why group
// by group of the first axis: the partial sums of a row or two fit a handful of registers, but a
// whole transformed tile (36 vectors) fits those of no machine.
#pragma once

#include <functional>
#include <span>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// The stage as the nest builder knows it, in terms of its loops.
struct FactoredSum {
  Value source;                              // the tensor's element
  std::vector<std::vector<IndexExpr>> read;  // indices into the table of each factor, in order
  std::vector<const CoefficientTable*> tables;
  std::string target;
  std::vector<IndexExpr> stored;
  std::function<Value(Value)> finished;  // the epilogue
  // Puts the first loops of the stage, which are not unrolled, around a block.
  std::function<Block(std::span<const StageLoop>, Block)> inside;
};

// Fails when a loop over a table is not unrolled, is outside another loop, or indexes the tensor,
// too: a sum would then have to read a further element midway.
Result<void> check_factored_loops(const Stage& stage, const FactoredSum& sum);
Result<Block> factored_nest(const Stage& stage, const FactoredSum& sum);

// Whether the loop is in an index of one of the stage's tables.
bool runs_over_table(const Stage& stage, const std::string& loop);
// Period of a loop over a table: 4 where `h mod 4` indexes a table of 4 rows; a longer loop h
// selects tiles, too. 0 where the loop itself is the index, or is in none.
int64_t period_over_table(const Stage& stage, const std::string& loop);

}  // namespace dovetail
