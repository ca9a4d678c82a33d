// SPDX-License-Identifier: Apache-2.0
//
// A tile that is read along one axis and written along another: an unrolled loop around a
// vectorized one, whose lanes are stored with a large stride, while iterations of the unrolled loop
// are adjacent.
//
//     for a in 0..16 unrolled
//       for b in 0..8 vectorized
//         X[…, b, a] = V[…, a, b]
//
//   is 16 vectors of 8 lanes, 64 shuffles and 8 stores of 16 lanes, instead of 128 stores of one.
//
// The shuffles are rounds of a riffle. The tile as one sequence has the address a * 8 + b; a riffle
// of its two halves rotates the address's bits by one, so that log2(16) of them exchange a and b.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <vector>

#include "core/ir/program/program.h"

namespace dovetail::codegen {

// One vector of `rows.size()` lanes for each lane of the rows.
std::vector<llvm::Value*> transposed(llvm::IRBuilder<>& builder,
                                     const std::vector<llvm::Value*>& rows);

// The columns of a few rows, concatenated, in as many vectors as there are rows, for a tile that is
// stored contiguously.
//
//     a0 a1 a2 a3          a0 b0 c0 a1
//     b0 b1 b2 b3    ->    b1 c1 a2 b2
//     c0 c1 c2 c3          c2 a3 b3 c3
std::vector<llvm::Value*> riffled_rows(llvm::IRBuilder<>& builder,
                                       const std::vector<llvm::Value*>& rows);

}  // namespace dovetail::codegen
