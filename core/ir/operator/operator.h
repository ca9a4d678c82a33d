// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operator: one tensor computation with its shape. Its printed form, the **spec**, is the key of
// every log:
//
//   parse_operator("c2d:n=1,co=64,ci=64,h=56,w=56,k=3x3,s=1,p=1+bias+relu")
//   print(*that) == "c2d:ci=64,co=64,h=56,w=56,k=3,p=1+bias+relu"
//
// Grammar: kind:key=value,...+epilogue...   Keys are read in any order and printed in this one,
// defaults dropped:
//
//   c1d          n ci co w k s p d g dtype math           convolution over w
//   c2d grp dil  n ci co h w k s p d g dtype math         over h w: plain, grouped (g > 1), dilated
//   c3d          n ci co depth h w k s p d g dtype math   over depth h w
//   dep          n c m h w k s p d dtype math             depthwise: c groups, m outputs of each
//   t2d t3d      n ci co [depth] h w k s p op d g dtype math transposed; h and w are the input's
//   gmm          b m n k ta tb b_const dtype math         b products of matrices, m x k by k x n
//
// dtype is of all tensors; math=tf32 rounds factors of f32 to tf32, math=tf32x2 to the sum of two
// such numbers (core/ir/value/element_type.h).
// k s p op d take one value for every axis (k=3) or one per axis (k=3x1); a padding is `amount` or
// `before:after`. Epilogues, in order of application: bias add relu relu6 clip(lo,hi) gelu silu
// sigmoid tanh; any other epilogue follows as +tail(…), see core/ir/operator/tail.h:
//   c2d:ci=16,co=16,h=56,w=56,k=3,p=1+bias+tail(@*min(max(@/6+0.5,0),1))
//
// One operator has one spec, so that its records are found in a log: print() is canonical, and
// parse_operator() returns the canonical operator for any spelling (c2d with g=4 is grp,
// clip(0,6) is relu6). A convolution with one input channel and no groups is c2d, not dep.
//
// Any other sum of products is written as a formula, see core/ir/operator/written_sum.h:
//   Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16+relu
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"
#include "core/ir/operator/tail.h"
#include "core/ir/operator/written_sum.h"
#include "core/ir/value/element_type.h"

namespace dovetail {

// custom: a WrittenSum.
enum class OperatorKind { c1d, c2d, c3d, grp, dil, dep, t2d, t3d, gmm, custom };
enum class EpilogueKind { bias, add, relu, relu6, clip, gelu, silu, sigmoid, tanh };

struct Epilogue {
  EpilogueKind kind = EpilogueKind::relu;
  double lo = 0;  // clip only, like hi
  double hi = 0;
  friend bool operator==(const Epilogue&, const Epilogue&) = default;
};

// One sliding axis, from the input's point of view.
struct SpatialAxis {
  std::string name;    // depth, h or w
  int64_t extent = 1;  // input extent without padding
  int64_t kernel = 1;  // taps
  int64_t stride = 1;
  int64_t pad_before = 0;  // zeros; transposed: outputs cropped
  int64_t pad_after = 0;
  int64_t output_padding = 0;  // transposed only: outputs added after the last
  int64_t dilation = 1;        // distance between taps
  friend bool operator==(const SpatialAxis&, const SpatialAxis&) = default;
};

struct Operator {
  OperatorKind kind = OperatorKind::c2d;
  int64_t batch = 1;        // n, or b of gmm
  int64_t in_channels = 0;  // convolutions; 0 for gmm
  int64_t out_channels = 0;
  int64_t groups = 1;
  std::vector<SpatialAxis> spatial;  // outermost first; empty for gmm
  int64_t m = 0;                     // gmm only
  int64_t n = 0;
  int64_t k = 0;
  bool transpose_a = false;
  bool transpose_b = false;
  bool b_const = true;                           // false: both operands of gmm are activations
  std::optional<WrittenSum> sum = std::nullopt;  // custom only
  ElementType dtype = ElementType::f32;          // or f16 or bf16
  ElementType math = ElementType::f32;  // or tf32, tf32x2: factors of f32 are rounded to it
  std::vector<Epilogue> epilogues;
  std::optional<OperatorTail> tail = std::nullopt;  // applied after the epilogues
  friend bool operator==(const Operator&, const Operator&) = default;
};

// The largest value of any key, and the most elements a tensor may have: everything computed from a
// valid operator (padded extents, element counts, offsets) then fits 63 bits.
inline constexpr int64_t kMaxSpecNumber = (int64_t{1} << 31) - 1;
inline constexpr int64_t kMaxTensorElements = int64_t{1} << 40;
inline constexpr size_t kMaxEpilogues = 16;

// Parses a spec; the error is one line with the key, the text found and the text expected.
Result<Operator> parse_operator(std::string_view spec);

// The canonical spec of a valid operator.
std::string print(const Operator& op);

// Checks an operator built in code and returns its canonical form (one operator, one kind).
// parse_operator ends with it.
Result<Operator> canonical(Operator op);

std::string_view name_of(OperatorKind kind);
std::string print(const Epilogue& epilogue);

bool is_transposed(OperatorKind kind);
bool is_matrix_product(OperatorKind kind);
bool has_epilogue(const Operator& op, EpilogueKind kind);

// Elements from the first to the last tap: dilation * (kernel - 1) + 1.
int64_t window_extent(const SpatialAxis& axis);
// Direct: (extent + pads - window) / stride + 1, rounded down.
// Transposed: (extent - 1) * stride + window + output padding - pads.
int64_t output_extent(const SpatialAxis& axis, bool transposed);

// The tensors of an operator. `input` and `weight` are A and B of gmm; `addend` is the second
// operand of `+add`.
enum class Operand { input, weight, bias, addend, output };
std::string_view name_of(Operand operand);

// Operands that the operator reads, in the order input, weight, bias, addend. The tensors of its
// tail come after them.
std::vector<Operand> input_operands(const Operator& op);

// Logical (framework) shape, row-major:
//   convolution  input n,ci,spatial   weight co,ci/g,kernel (transposed: ci,co/g,kernel)   output
//   n,co,spatial'   bias co gmm          input b,m,k (ta: b,k,m)   weight b,k,n (tb: b,n,k) output
//   b,m,n   bias n addend as output
std::vector<int64_t> logical_shape(const Operator& op, Operand operand);

// 2 * multiply-adds of the direct definition, padding taps included: the field's convention for
// GFLOP/s. A transposed convolution counts every tap of every input element.
double nominal_flops(const Operator& op);
// The same without the taps that fall on padding (transposed: outside the output).
double real_tap_flops(const Operator& op);

}  // namespace dovetail
