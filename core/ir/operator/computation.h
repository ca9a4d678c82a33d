// SPDX-License-Identifier: Apache-2.0
//
// Computation: the definition of an operator, in one form for all operators. Spaces, schedules and
// references are derived from it and never from the operator's kind.
//
//     axes      n<1, o<64, h<56, w<56 of the output; i<64, kh<3, kw<3 reduced
//     reads     X[n, i, h + kh - 1, w + kw - 1], W[o, i, kh, kw], bias[o]
//     element   read(0) * read(1)                what is reduced, a value over the reads
//     reducer   sum
//     result    max(@ + read(2), 0)              a value over what was reduced, @, and more reads
//
//   is  c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu, for people
//     Y[n, o, h, w] = max(sum(X[n, i, h + kh - 1, w + kw - 1] * W[o, i, kh, kw]) + bias[o], 0)
//
// A max pooling has the reducer max, a transpose has none and an element that is one read. An
// element outside a tensor has a stated value: 0 for a sum, -inf for a maximum. A transposed
// convolution, t2d:ci=8,co=4,h=5,w=5,k=4,s=2,p=1, reads only where its stride divides:
//     X[n, i, (h - kh + 1) div 2, …] where 0 <= (h - kh + 1) mod 2 < 1 …
//
// Why reads are a list and values refer to them by position: layouts, tiles and classes of axes
// depend on the reads only, and need no traversal of a value. Reads of the element come first. Why
// there is no initial value: it is neutral(reducer), and any other one is part of the result.
//
// Axes of convolutions are named n o (d) h w i (kd) kh kw, with g before o where there are groups,
// and c (m) instead of o and i where each group has one input channel; b m n k for gmm. Groups are
// a dimension of their own, X[n, g, i, h, w], which keeps the framework's order of elements.
// Tensors are X, W, Y, and `bias` and `add` where the result reads them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"
#include "core/ir/layout/layout.h"
#include "core/ir/operator/operator.h"
#include "core/ir/value/value.h"

namespace dovetail {

struct Axis {
  std::string name;
  int64_t extent = 0;
  bool reduction = false;
  friend bool operator==(const Axis&, const Axis&) = default;
};

// activation: changes with every inference, so converting it costs time; constant: converted at
// build time, free.
enum class TensorRole : uint8_t { activation, constant, output };

struct Tensor {
  std::string name;
  std::vector<LogicalDim> dims;
  TensorRole role = TensorRole::activation;
  ElementType type = ElementType::f32;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

std::vector<int64_t> shape_of(const Tensor& tensor);
int64_t tensor_bytes(const Tensor& tensor);

// A small constant matrix that a computation multiplies by, without a buffer. Loops over its
// indices are unrolled, so that its elements become immediate constants in the code.
//   BT[4, 4] = {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1}
struct CoefficientTable {
  std::string name;
  std::vector<int64_t> extents;
  std::vector<double> values;  // row-major
  friend bool operator==(const CoefficientTable&, const CoefficientTable&) = default;
};

struct Access {
  std::string tensor;
  std::vector<IndexExpr> indices;   // over the axes' names
  std::vector<Bound> conditions{};  // where one fails, the element is `outside`, too
  double outside = 0;               // value of an element beyond the tensor
  friend bool operator==(const Access&, const Access&) = default;
};

// A data-dependent index (gather): a variable with the value clamp(value, 0, extent - 1).
//     Y[n, c] = T[j, c], j in 0..1000 at I[n]
struct GatherIndex {
  std::string name;
  int64_t extent = 1;
  Value value;  // an integer over the reads
  friend bool operator==(const GatherIndex&, const GatherIndex&) = default;
};

struct Computation {
  std::vector<Axis> axes;       // output axes in the order of the output's dims, then reduced ones
  std::vector<Tensor> tensors;  // inputs, then the output
  Access output;                // its indices are plain axes
  std::vector<Access> reads;    // the element's first, then those that only the result has
  Value element;                // over reads and axes
  Reducer reducer = Reducer::none;  // none: no axis is reduced, and the element is the result
  Value result = Reduced{};         // over `@`, and reads without reduced axes
  std::vector<GatherIndex> gathers = {};
  std::vector<CoefficientTable> tables = {};  // reads may name one instead of a tensor
  friend bool operator==(const Computation&, const Computation&) = default;
};

Computation define(const Operator& op);

// Applies epilogues to a finished sum: +bias+relu turns acc into max(acc + bias[o], 0). `reads`:
// the values of bias and add, in the order of the epilogues that read them.
Value apply_epilogues(Value sum, const std::vector<Epilogue>& epilogues,
                      const std::vector<Value>& reads);

// Reads of the element (or a gather index), and reads of the result alone.
std::span<const Access> element_reads(const Computation& computation);
std::span<Access> element_reads(Computation& computation);
std::span<const Access> result_reads(const Computation& computation);
// True if the computation sums products of reads that are 0 outside their tensors, so that a zero
// in any read adds nothing.
bool is_product_sum(const Computation& computation);
// tf32(X[m, k])*tf32(W[k, n]): other sums of these factors would round otherwise.
bool rounds_factors(const Computation& computation);
// The result with `reduced` for `@`; `reduced` itself, the element, where nothing is reduced.
Value finished(const Computation& computation, const Value& reduced);

// The type in which the computation computes the value; `@` has the type of the reduced element.
ComputedType type_of(const Computation& computation, const Value& value);

const Tensor& tensor_named(const Computation& computation,
                           const std::string& name);  // CHECKs that it exists
bool reads_tensor(std::span<const Access> reads, const std::string& tensor);
// Visits the indices of the value's reads, of its bounds and of its IndexValues.
void for_each_index(const Value& value, std::span<const Access> reads,
                    const std::function<void(const IndexExpr&)>& visit);
// A dimension's name is that of the first axis in its index, output axes before others; that of the
// third one is _2 if its index has no axis.
std::string dimension_name(const IndexExpr& index, size_t position, std::span<const Axis> axes);
const CoefficientTable* find_table(const Computation& computation, const std::string& name);
Ranges axis_ranges(const Computation& computation);  // including its gather indices
// A reduction axis whose low digit is fixed by a condition, in which the axis has an invertible
// coefficient: (h - kh + 1) mod 2 = 0 holds only for kh = 2*q + ((h + 1) mod 2).
struct FixedDigit {
  std::string axis;  // kh
  int64_t step = 1;  // 2
  IndexExpr digit;   // (h + 1) mod 2, over output axes
  friend bool operator==(const FixedDigit&, const FixedDigit&) = default;
};
std::vector<FixedDigit> fixed_digits(const Computation& computation);

}  // namespace dovetail
