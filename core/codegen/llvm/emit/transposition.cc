// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/emit/transposition.h"

#include <bit>

namespace dovetail::codegen {
namespace {

using Rows = std::vector<llvm::Value*>;
using Mask = llvm::SmallVector<int, 64>;

int lanes_of(const llvm::Value* vector) {
  return static_cast<int>(llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements());
}

int power_of_two_from(int n) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))); }

// Lanes [first, first + count) of a vector; lanes beyond its end are undefined.
llvm::Value* part(llvm::IRBuilder<>& builder, llvm::Value* vector, int first, int count) {
  const int lanes = lanes_of(vector);
  if (first == 0 && count == lanes) return vector;
  Mask mask;
  for (int l = first; l < first + count; ++l) mask.push_back(l < lanes ? l : -1);
  return builder.CreateShuffleVector(vector, mask);
}

// Pads rows and lanes to powers of two, which riffles need.
Rows widened(llvm::IRBuilder<>& builder, const Rows& rows) {
  const int lanes = power_of_two_from(lanes_of(rows[0]));
  Rows result;
  for (llvm::Value* row : rows) result.push_back(part(builder, row, 0, lanes));
  const auto count = static_cast<size_t>(power_of_two_from(static_cast<int>(rows.size())));
  result.resize(count, llvm::PoisonValue::get(result[0]->getType()));
  return result;
}

// Interleaves the first half of the sequence with the second, lane by lane. A row paired with an
// undefined one is paired with itself: LLVM 19 would treat the pair as an extension of its lanes,
// and has no instruction for some of these.
Rows riffled(llvm::IRBuilder<>& builder, const Rows& rows) {
  const int lanes = lanes_of(rows[0]);
  const size_t half = rows.size() / 2;
  Rows result;
  for (size_t k = 0; k < rows.size(); ++k) {
    Mask mask;
    for (int l = 0; l < lanes / 2; ++l) {
      const int lane = static_cast<int>(k % 2) * lanes / 2 + l;
      mask.insert(mask.end(), {lane, lanes + lane});
    }
    llvm::Value* const row = rows[k / 2];
    llvm::Value* const other = rows[k / 2 + half];
    result.push_back(
        builder.CreateShuffleVector(row, llvm::isa<llvm::PoisonValue>(other) ? row : other, mask));
  }
  return result;
}

// The `number`-th group of `count` lanes of the sequence, as a vector.
llvm::Value* chunk(llvm::IRBuilder<>& builder, const Rows& rows, int number, int count) {
  const int lanes = lanes_of(rows[0]);
  const int first = number * count;
  if (count <= lanes)
    return part(builder, rows[static_cast<size_t>(first / lanes)], first % lanes, count);
  Rows parts(rows.begin() + first / lanes, rows.begin() + (first + count) / lanes);
  while (parts.size() > 1) {
    Rows joined;
    Mask all;
    for (int l = 0; l < 2 * lanes_of(parts[0]); ++l) all.push_back(l);
    for (size_t p = 0; p < parts.size(); p += 2)
      joined.push_back(builder.CreateShuffleVector(parts[p], parts[p + 1], all));
    parts = std::move(joined);
  }
  return parts[0];
}

}  // namespace

std::vector<llvm::Value*> transposed(llvm::IRBuilder<>& builder, const Rows& rows) {
  const int lanes = lanes_of(rows[0]);
  Rows sequence = widened(builder, rows);
  const auto wide = static_cast<int>(sequence.size());
  for (int bit = 1; bit < wide; bit *= 2) sequence = riffled(builder, sequence);
  Rows result;
  for (int l = 0; l < lanes; ++l) {
    llvm::Value* column = chunk(builder, sequence, l, wide);
    result.push_back(part(builder, column, 0, static_cast<int>(rows.size())));
  }
  return result;
}

std::vector<llvm::Value*> riffled_rows(llvm::IRBuilder<>& builder, const Rows& rows) {
  const int lanes = lanes_of(rows[0]), count = static_cast<int>(rows.size());
  Rows result;
  for (int q = 0; q < count; ++q) {
    llvm::Value* joined = rows[0];
    for (int r = 1; r < count; ++r) {
      Mask mask;
      for (int e = 0; e < lanes; ++e) {
        const int row = (q * lanes + e) % count, lane = (q * lanes + e) / count;
        const int so_far = r == 1 ? lane : e;
        mask.push_back(row < r ? so_far : row == r ? lanes + lane : -1);
      }
      joined = builder.CreateShuffleVector(joined, rows[static_cast<size_t>(r)], mask);
    }
    result.push_back(joined);
  }
  return result;
}

}  // namespace dovetail::codegen
