// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reference: what an operator's output must be, computed from its fields by plain loops.
//
//   const Operands operands = make_operands(op, DataKind::real, 0);
//   const Reference reference = compute_reference(op, operands);
//   |y[i] - reference.values[i]| <= 1e-6 * reference.scale[i]
//
// It shares no code with lowering, spaces or layouts, on purpose: it reads the operator and nothing
// that was derived from it, so a mistake in the derivation cannot be in both. Everything is summed
// in f64; for small integers f32 gives the same numbers, faster (exact_reference).

#include <vector>

#include "core/ir/operator/operator.h"
#include "measure/reference/operands.h"

namespace dovetail {

struct Reference {
  std::vector<double> values;  // the output in logical order
  // Per element, sum of |x * w| plus |bias| plus |addend|: what rounding errors are proportional
  // to.
  std::vector<double> scale;
  // 1 + |what enters the first rounding epilogue|; empty when there is none. Its approximation's
  // error is proportional to this.
  std::vector<double> epilogue_scale = {};
  // What each may be off, where that is known for itself and the scales do not say it: elements of
  // a written region. `scale` is then one number for all.
  std::vector<double> errors = {};
};

Reference compute_reference(const Operator& op, const Operands& operands);

// The exact output on small integers. Requires is_exact_on_integers(op).
std::vector<float> exact_reference(const Operator& op, const Operands& operands);

}  // namespace dovetail
