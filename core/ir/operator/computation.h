// SPDX-License-Identifier: Apache-2.0
//
// Computation: what an operator computes, as a reduction over products of tensor accesses. Spaces,
// schedules and references are derived from this and never from the operator's kind.
//
//     c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu   is
//     for n<1, o<64, h<56, w<56:
//       Y[n, o, h, w] =
//         relu(Σ_{i<64, kh<3, kw<3} X[n, i, h + kh - 1, w + kw - 1] · W[o, i, kh, kw] + bias[o])
//
// and a transposed one, t2d:ci=8,co=4,h=5,w=5,k=4,s=2,p=1, reads where its stride divides:
//       X[n, i, (h - kh + 1) div 2, …] where 0 <= (h - kh + 1) mod 2 < 1 …  · W[i, o, kh, kw]
//
// An element outside a tensor is zero. Axes are named n o (d) h w i (kd) kh kw for convolutions,
// with g before o where there are groups, and c (m) instead of o and i where each group has one
// input channel; b m n k for gmm. Channels of groups are dimensions apart, X[n, g, i, h, w], which
// stores the framework's elements in the framework's order; tensors are X, W, Y, and `bias` and
// `add` where the epilogue reads them.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"
#include "core/ir/layout/layout.h"
#include "core/ir/operator/operator.h"

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
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

// A small constant matrix that a computation multiplies by, like a tensor that is known: no buffer
// holds it. Loops over its indices are written out, so that code sees its elements as numbers.
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
  std::vector<Bound> conditions{};  // where one does not hold, the element is zero
  friend bool operator==(const Access&, const Access&) = default;
};

struct Computation {
  std::vector<Axis> axes;  // output axes in the order of the output's dims, then reduction axes
  std::vector<Tensor> tensors;                // X, W, [bias], [add], Y
  Access output;                              // plain axes
  std::vector<Access> inputs;                 // the factors of the product: X, W
  std::vector<Epilogue> epilogues;            // in order of application
  std::vector<Access> epilogue_inputs;        // bias, add: indices over the output axes
  std::vector<CoefficientTable> tables = {};  // that inputs may name instead of a tensor
  friend bool operator==(const Computation&, const Computation&) = default;
};

// Fails, in one line, for what cannot be lowered yet.
Result<Computation> define(const Operator& op);

const Tensor& tensor_named(const Computation& computation,
                           const std::string& name);  // CHECKs that it exists
const CoefficientTable* find_table(const Computation& computation, const std::string& name);
Ranges axis_ranges(const Computation& computation);
// A reduction axis whose low digit a condition fixes, because the axis occurs in it with a
// coefficient that has an inverse: (h - kh + 1) mod 2 = 0 holds for kh = 2*q + ((h + 1) mod 2) and
// for no other kh.
struct FixedDigit {
  std::string axis;  // kh
  int64_t step = 1;  // 2
  IndexExpr digit;   // (h + 1) mod 2, over output axes
  friend bool operator==(const FixedDigit&, const FixedDigit&) = default;
};
std::vector<FixedDigit> fixed_digits(const Computation& computation);

// ` where 0 <= ((h - kh + 1) mod 2) < 1 and …`, empty without conditions.
std::string print_conditions(const Access& access);
// "for n<1, …: Y[n, o, h, w] = relu(sum(i<64, …) X[…] * W[…] + bias[o])"; for people.
std::string print(const Computation& computation);

}  // namespace dovetail
