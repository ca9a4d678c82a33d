// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reference: an operator's expected output, computed from its fields by plain loops.
//
//   const Operands operands = make_operands(op, DataKind::real, 0);
//   const Reference reference = compute_reference(op, operands);
//   |y[i] - reference.values.real(i)| <= 1e-6 * reference.scale[i]
//
//   operands.input = reference.values;       in double, as the next layer of a network's takes them
//
// It deliberately shares no code with lowering, spaces or layouts: it reads only the operator and
// nothing derived from it, so that a mistake in the derivation cannot be in both. Sums are in f64,
// from operands of any real type, and overflow as the operator's type does; for small integers f32
// gives the same numbers, faster (exact_reference).

#include <vector>

#include "core/ir/operator/operator.h"
#include "core/ir/value/ndarray.h"
#include "measure/reference/operands.h"

namespace dovetail {

struct Reference {
  NDArray values;  // the output in logical order: f64, or i64 for integers and truths
  // For each element the sum of |x * w| plus |bias| plus |addend|: rounding errors are proportional
  // to it. f32 suffices for a bound.
  std::vector<float> scale;
  // 1 + |input of the first rounding epilogue|; empty if there is none. The approximation's error
  // is proportional to this.
  std::vector<double> epilogue_scale = {};
  // The error bound of each element where scales do not give one, as in a written region. `scale`
  // then has one number for all.
  std::vector<double> errors = {};
  // With a tail (tail_reference.h), `errors` are its bounds for sums that are off by `tail_sums` of
  // their scale; `wide_errors` are those for sums that are off by `wide_sums`, as with Winograd or
  // f16.
  double tail_sums = 0;
  std::vector<double> wide_errors = {};
  std::vector<float> wide_sums = {};  // absolute
};

// Both ignore the operator's tail.
Reference compute_reference(const Operator& op, const Operands& operands);
// Without scales, in half the time.
NDArray reference_values(const Operator& op, const Operands& operands);

// The exact output on small integers. Requires is_exact_on_integers(op).
NDArray exact_reference(const Operator& op, const Operands& operands);

}  // namespace dovetail
