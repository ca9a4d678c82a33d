// SPDX-License-Identifier: Apache-2.0
//
// Whether a tensorized loop computes what its intrinsic does, and with which operands:
//
//     for k.1 in 0..4 unrolled tensorize avx512_vnni.dot_i8
//       for o.1 in 0..16 vectorized
//         acc[w, o.1] += X[w, k.0, k.1] * W[o.0, k.0, o.1, k.1]
//
//     output acc[w, o.1]; reads A = X[w, k.0, k.1], B = W[o.0, k.0, o.1, k.1]
//
// The statement must have the computation's element, up to the order of factors and of terms, and
// its operands the computation's types and strides: X stride 1 along k.1, W 4 along o.1 and 1 along
// k.1, acc 1 along o.1. Lanes are the loops around it that are bound to their thread axes; all
// work-items of a warp must come to the instruction, so that no loop around it may be clipped.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/program/program.h"

namespace dovetail {

struct StoredArray {
  std::vector<int64_t> extents;
  ElementType type = ElementType::f32;
};
// A buffer's or tile's extents as stored; nullopt where there is none of that name.
using ArrayNamed = std::function<std::optional<StoredArray>(const std::string& name)>;

struct IntrinsicUse {
  const Intrinsic* intrinsic = nullptr;
  std::vector<const Loop*> loops;  // in the order of loop_order()
  const Store* store = nullptr;
  std::vector<const Load*> reads;  // in the order of the computation's reads
  std::vector<const Loop*> lanes;  // in the order of the intrinsic's
};

// `around`: the loops that enclose it, outermost first.
Result<IntrinsicUse> match_intrinsic(const Loop& loop, std::span<const Loop* const> around,
                                     const ArrayNamed& array_named);

// Succeeds when every tensorized loop of the program is its intrinsic; verify() includes it.
Result<void> check_intrinsics(const Program& program);

}  // namespace dovetail
