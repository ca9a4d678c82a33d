// SPDX-License-Identifier: Apache-2.0
//
// OperatorTail: an elementwise epilogue that none of the named epilogues expresses. It follows the
// named ones, and is any value over `@`, their result, and over tensors that are read at the
// output's axes:
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
// Why it is a part of the operator and not another statement of a region: code that matches an
// operator by its fields (Winograd, layouts in place, the border of a framework, flops, the
// reference) still matches, and spaces, which see the computation alone, need no case for it.
// Operators with named epilogues keep their specs, and with them their records.
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
  std::vector<std::string> axes;  // output axes; empty: a single number
  ElementType type = ElementType::f32;
  bool constant = false;
  friend bool operator==(const TailTensor&, const TailTensor&) = default;
};

struct OperatorTail {
  Value value = Reduced{};  // over the epilogues' result, and the tensors by position
  std::vector<TailTensor> tensors;
  ElementType type = ElementType::f32;  // output type
  friend bool operator==(const OperatorTail&, const OperatorTail&) = default;
};

// Kernels that read more streams than this exceed what hardware prefetchers can follow.
inline constexpr size_t kMaxTailTensors = 12;
inline constexpr size_t kMaxTailNodes = 512;

// Parses the text in the parentheses as a tail of `op`, whose own tail is ignored.
Result<OperatorTail> parse_tail(std::string_view text, const Operator& op);
std::string print_tail(const Operator& op);

// Checks that an operator, valid apart from its own tail, can have this one.
Result<void> check_tail(const Operator& op, const OperatorTail& tail);

// The tail with operands of commutative operations sorted, and tensors named and numbered in the
// order in which the text reads them. `order`: each tensor's previous position.
struct CanonicalTail {
  OperatorTail tail;
  std::vector<size_t> order;
};
CanonicalTail canonical_tail(const OperatorTail& tail);

// The operator that ends with its named epilogues.
Operator without_tail(Operator op);

// Turns the start of the tail into named epilogues where possible: +tail(max(@,0)*2) is
// +relu+tail(@*2). An empty rest is dropped.
Operator with_named_epilogues(Operator op);

// Framework shape, in which channels are one dimension even if several axes count them.
std::vector<int64_t> tail_shape(const Operator& op, const TailTensor& tensor);

}  // namespace dovetail
