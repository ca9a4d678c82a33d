// SPDX-License-Identifier: Apache-2.0
//
// OperatorTail: what is computed of an operator's sum before it is stored, where the epilogues have
// no name for it. It follows the epilogues, and is any value over `@`, what they leave, and over
// tensors that are read at the output's axes:
//
//   c2d:ci=16,co=16,h=56,w=56,k=3,p=1+bias+tail(@*min(max(@/6+0.5,0),1))                 HardSwish
//   c2d:ci=16,co=16,h=56,w=56,k=1+tail(select(@<0,@*A[o],@):const=A)           PRelu by channels
//   gmm:m=64,n=64,k=64+bias+tail(integer(min(max(@/A[0],0),255)):Y=u8,const=A)       to bytes
//
//   tail   := 'tail(' VALUE [':' key (',' key)*] ')'       VALUE as in core/ir/region/region_text.h
//   key    := TENSOR=type | Y=type | const=TENSOR.TENSOR   types that are not stated follow dtype
//
// A tensor's indices are output axes as core/ir/operator/computation.h names them, in the output's
// order, or 0 alone for a single number. Its extents are those of the axes.
//
// Why a part of the operator and no region with a statement of its own: whatever knows an operator
// by its fields (Winograd, layouts in place, the border of a framework, flops, the reference) goes
// on knowing it, and spaces, which see the computation alone, need no case for it. What epilogues
// spell keeps their names, and with them its records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/element_type.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct Operator;

struct TailTensor {
  std::string name;               // A, B, … in the order in which the text reads them
  std::vector<std::string> axes;  // of the output; none: a single number
  ElementType type = ElementType::f32;
  bool constant = false;
  friend bool operator==(const TailTensor&, const TailTensor&) = default;
};

struct OperatorTail {
  Value value = Reduced{};  // over what the epilogues leave, and the tensors by position
  std::vector<TailTensor> tensors;
  ElementType type = ElementType::f32;  // of the output
  friend bool operator==(const OperatorTail&, const OperatorTail&) = default;
};

// Kernels of more streams than this run out of what the caches' prefetchers follow.
inline constexpr size_t kMaxTailTensors = 12;
inline constexpr size_t kMaxTailNodes = 512;

// The text in the parentheses, of the tail of this operator, whose own is not looked at.
Result<OperatorTail> parse_tail(std::string_view text, const Operator& op);
std::string print_tail(const Operator& op);

// That an operator, valid but for its tail, can have this one.
Result<void> check_tail(const Operator& op, const OperatorTail& tail);

// The operands of commutative operations in one order, tensors named and numbered as the text reads
// them. `order` has for each tensor its position before.
struct CanonicalTail {
  OperatorTail tail;
  std::vector<size_t> order;
};
CanonicalTail canonical_tail(const OperatorTail& tail);

// The operator that leaves what its epilogues do.
Operator without_tail(Operator op);

// The operator with every epilogue by its name that its tail begins with: +tail(max(@,0)*2) is
// +relu+tail(@*2). It has no tail where nothing is left.
Operator with_named_epilogues(Operator op);

// Framework shape, whose channels are one dimension however many axes they have.
std::vector<int64_t> tail_shape(const Operator& op, const TailTensor& tensor);

}  // namespace dovetail
