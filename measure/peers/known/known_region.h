// SPDX-License-Identifier: Apache-2.0
#pragma once

// KnownRegion: a region as an operation of libraries, with that operation's parameters.
//
//   known_region(Y[n,c,h,w]max=X[n,c,2*h+r-1,2*w+s-1]:…)     Pooling, windows of 3, stride 2
//   known_region(Y[i,j]=max(A[i,j]+B[j],0):…)                Elementwise: A, add B, relu
//   known_region(Y[i,j]=A[i,j]/(1+B[j]*B[j]):…)              an error: no library has it by a name
//
// Pooling, reductions, permutations and elementwise chains are recognised in the computation. A
// softmax or a layer normalization is several computations, with many possible names and orders:
// templates of them are filled with the region's extents, and canonical texts are compared.
//
// Why not the graph's nodes: bench has regions, from suites and logs, and no graph. A region that
// is not recognised is an error; it is never timed as a similar operation.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/region/region.h"

namespace dovetail {

// One spatial axis of a pooling; `after` is 0 if the last rows are not read.
struct PooledAxis {
  int64_t extent = 1, window = 1, stride = 1, dilation = 1;
  int64_t before = 0, after = 0;  // padding, counted by an average
  int64_t outputs = 1;
  friend bool operator==(const PooledAxis&, const PooledAxis&) = default;
};

struct Pooling {
  enum class Kind : uint8_t { max, average };
  Kind kind = Kind::max;
  std::string input;
  int64_t n = 1, c = 1;
  std::vector<PooledAxis> axes;  // one to three
  friend bool operator==(const Pooling&, const Pooling&) = default;
};

struct Reduction {
  enum class Kind : uint8_t { sum, mean, max, min };
  Kind kind = Kind::sum;
  std::string input;
  std::vector<int64_t> shape;  // input shape
  std::vector<int64_t> axes;   // reduced axes, in order
  friend bool operator==(const Reduction&, const Reduction&) = default;
};

struct Softmax {
  std::string input;
  std::vector<int64_t> shape;  // rows, length, and inner elements if not 1
  bool logarithm = false;
  friend bool operator==(const Softmax&, const Softmax&) = default;
};

struct LayerNorm {
  std::string input, scale, shift;  // the last two may be empty
  int64_t rows = 1, length = 1;
  double epsilon = 0;
  friend bool operator==(const LayerNorm&, const LayerNorm&) = default;
};

// (input - mean) * rsqrt(variance + epsilon) * scale + shift, with one value of each per channel.
struct BatchNorm {
  std::string input, mean, variance, scale, shift;
  int64_t n = 1, c = 1, pixels = 1;
  double epsilon = 0;
  friend bool operator==(const BatchNorm&, const BatchNorm&) = default;
};

// `shape` has the output's dimensions, 1 where the tensor is broadcast.
struct ElementwiseOperand {
  std::string tensor;
  std::vector<int64_t> shape;
  friend bool operator==(const ElementwiseOperand&, const ElementwiseOperand&) = default;
};

// alpha and beta: bounds of clip, factor and addend of linear, slope of leaky_relu, alpha of elu.
struct ElementwiseFunction {
  enum class Kind : uint8_t {
    abs,
    clip,
    elu,
    exp,
    gelu,
    hardswish,
    leaky_relu,
    linear,
    log,
    relu,
    sigmoid,
    silu,
    sqrt,
    tanh
  };
  Kind kind = Kind::relu;
  double alpha = 0, beta = 0;
  friend bool operator==(const ElementwiseFunction&, const ElementwiseFunction&) = default;
};

// `result so far` op `operand`, with op one of add, sub, mul, div, max, min.
struct ElementwiseStep {
  BinaryOp op = BinaryOp::add;
  ElementwiseOperand operand;
  friend bool operator==(const ElementwiseStep&, const ElementwiseStep&) = default;
};

// `input` has the output's shape. Neighbouring dimensions that all operands have, or all broadcast,
// are collapsed.
struct Elementwise {
  ElementwiseOperand input;
  std::vector<std::variant<ElementwiseFunction, ElementwiseStep>> steps;
  friend bool operator==(const Elementwise&, const Elementwise&) = default;
};

// Dimension i of the output is dimension order[i] of the input.
struct Permutation {
  std::string input;
  std::vector<int64_t> shape;  // input shape
  std::vector<int64_t> order;
  friend bool operator==(const Permutation&, const Permutation&) = default;
};

using KnownRegion = std::variant<Operator, Pooling, Reduction, Softmax, LayerNorm, BatchNorm,
                                 Elementwise, Permutation>;

// The error is one line.
Result<KnownRegion> known_region(const Region& region);

// The form's name for messages: "softmax".
std::string name_of(const KnownRegion& known);

// A mean or maximum over neighbouring axes is a pooling whose window is the whole extent (global
// pooling): over the last axes; or over axes before the last one, which is then the channels.
//
//   16x512x7x7 over the last two      n=16, c=512, windows of 7 in framework layout
//   1x128x768 over the second         n=1, c=768, a window of 128 in channels-last layout
struct GlobalPooling {
  Pooling pooling;
  bool channels_last = false;  // layout of the tensor
  friend bool operator==(const GlobalPooling&, const GlobalPooling&) = default;
};
std::optional<GlobalPooling> global_pooling(const Reduction& reduction);

}  // namespace dovetail
