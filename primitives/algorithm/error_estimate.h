// SPDX-License-Identifier: Apache-2.0
//
// estimated_error: the largest error to expect of a sum of products that an algorithm computes in
// f32, from the sizes of its operands. A region takes an algorithm only where its data tolerate it,
// which is thus known before anything is compiled.
//
//   const OperandSizes sizes = {.activation_rms = 0.7, .activation_mean = 0.4,
//                               .constant_rms = 0.06, .column_norm = 1.4};
//   *estimated_error(computation, algorithm::Winograd{4}, sizes)     8e-6, of sums around 1
//   *estimated_error(computation, std::nullopt, sizes)               2e-6: the definition's own
//
// With u = 2^-24, K products in a sum, C of them at one place of the windows, D window axes, and
// the root mean squares x of the activations and w of the constants:
//
//   direct        2 · u · sqrt(K) · x · |w|      |w|: the largest norm of the constants of one sum
//   winograd      u/2 · a^D · sqrt(C) · x · |w|  a: 2.24 of F(2,3), 5.13 of F(4,3)
//   pairs         u · sqrt(K) · (P · m² + 2 · sqrt(P) · (x² + (s·w)²)) / s
//                                                P = K/of pairs, m: the mean of the activations
//                                                (0 for pairs of both signs),
//                                                s: factor of the stored constants
//   split         (2 · u + 2^-22) · sqrt(K) · x · |w|
//
// Rounding errors are taken as independent: a sum of n terms that grows like sqrt(n) rounds n
// times, each time by u of its current value. `a` is the amplification of that by an algorithm's
// tables, the RMS of which is sqrt(max over outputs of sum(AT² · |G|² · |BT|²)). Pairs add extra
// products of two activations and of two constants: those of the activations' mean all have one
// sign and grow like K, the others like sqrt(K).
//
// Why estimates and not bounds: Winograd's guaranteed bound is some 50 times the error of any data
// (the sums of magnitudes along two axes multiply), and would refuse it everywhere. The largest
// error of 10^4 outputs was 0.1 to 1.5 of winograd's estimate, 0.4 to 1.5 of pairs', 0.6 to 1.8 of
// direct's, over normal numbers, rectified ones, bytes, images and numbers around 100 with 16 to
// 256 channels (docs/decisions/0040). Running a network checks its actual error.
// After N. Higham, T. Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019, and B.
// Barabasz et al., Error Analysis and Improving the Accuracy of Winograd Convolution, 2020.
#pragma once

#include <optional>
#include <string>

#include "core/ir/operator/computation.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

// Default limit of a region's error, relative to the range of its output, by an algorithm other
// than the definition: 84 f32 epsilons. Networks are then about as far from double as onnxruntime
// is (docs/decisions/0040).
inline constexpr double kDefaultMaxError = 1e-5;

struct OperandSizes {
  double activation_rms = 0;
  double activation_mean = 0;  // absolute value
  double constant_rms = 0;
  double column_norm = 0;  // largest norm of the constants of one output
  friend bool operator==(const OperandSizes&, const OperandSizes&) = default;
};

// Sets the activations' sizes from the finite ones among `numbers`.
void take_activations(const ArrayView& numbers, OperandSizes& sizes);

// The two tensors of a sum of products; the constant is known before the network runs.
struct ProductOperands {
  std::string activation, constant;
};
// nullopt where the computation is no sum of products of an activation and a constant.
std::optional<ProductOperands> product_operands(const Computation& computation);

// `constants`: elements of the computation's constant, in logical order. Two constants are in one
// column where they differ in reduced dimensions alone.
OperandSizes sizes_of_constants(const Computation& computation, const ArrayView& constants);

// nullopt where the computation is no sum of products of an activation and a constant, for which
// there is no algorithm but the definition.
std::optional<double> estimated_error(const Computation& computation,
                                      const std::optional<Algorithm>& algorithm,
                                      const OperandSizes& sizes);

}  // namespace dovetail
