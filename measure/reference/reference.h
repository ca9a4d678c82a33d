// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reference: what an operator's output must be, computed from its fields by plain loops.
//
//   const Operands operands = make_operands(op, DataKind::real, 0);
//   const Reference reference = compute_reference(op, operands);
//   |y[i] - reference.values.real(i)| <= 1e-6 * reference.scale[i]
//
//   operands.input = reference.values;       in double, as the next layer of a network's takes them
//
// It shares no code with lowering, spaces or layouts, on purpose: it reads the operator and nothing
// that was derived from it, so a mistake in the derivation cannot be in both. Everything is summed
// in f64, from operands of any real type, and overflows as the operator's type does; for small
// integers f32 gives the same numbers, faster (exact_reference).

#include <vector>

#include "core/ir/operator/operator.h"
#include "core/ir/value/array.h"
#include "measure/reference/operands.h"

namespace dovetail {

struct Reference {
  Array values;  // the output in logical order: f64, or i64 of integers and truths
  // Each element has the sum of |x * w| plus |bias| plus |addend|: rounding errors are proportional
  // to it. As a bound it needs no more than f32.
  std::vector<float> scale;
  // 1 + |what enters the first rounding epilogue|; empty when there is none. Its approximation's
  // error is proportional to this.
  std::vector<double> epilogue_scale = {};
  // Each element may be off by its error where the scales do not say it: so it is in a written
  // region. `scale` is then one number for all.
  std::vector<double> errors = {};
  // Where there is a tail (tail_reference.h), `errors` are what it makes of sums that are off by
  // `tail_sums` of their scale; these are the same where each sum is off by its number in
  // `wide_sums`, as those of Winograd and of halves may be.
  double tail_sums = 0;
  std::vector<double> wide_errors = {};
  std::vector<float> wide_sums = {};  // absolute
};

// Both are without the operator's tail.
Reference compute_reference(const Operator& op, const OperandViews& operands);
// Its values alone, in half the time.
Array reference_values(const Operator& op, const OperandViews& operands);

// The exact output on small integers. Requires is_exact_on_integers(op).
Array exact_reference(const Operator& op, const OperandViews& operands);

}  // namespace dovetail
