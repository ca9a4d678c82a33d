// SPDX-License-Identifier: Apache-2.0
#pragma once

// product_sums: the sums of a computation that sums products, each with what its error depends on.
//
//   Y[m,n] = max(sum(X[m,k]*W[n,k]), 0)        for each m, n over k:
//   values        sum of x * w                 magnitudes    sum of |x * w|
//   errors        sum of |x| * e(w) + e(x) * |w| + e(x) * e(w), from the errors of the factors
//
// The factors are any values, evaluated as written: an element of a tensor, a quantised weight in
// its scale, the exponential of a score. They are multiplied as in a matrix product
// (contraction.h), which is a hundred times as fast as evaluating each product by itself; the sums
// are the same but for the order of additions in double.

#include <optional>
#include <vector>

#include "measure/reference/bounded_number.h"
#include "measure/reference/contraction.h"
#include "measure/reference/element_evaluator.h"

namespace dovetail {

struct ProductSums {
  std::vector<double> values, magnitudes;
  std::vector<double> errors;  // empty: the factors have none
  double terms = 0;            // in each sum

  // Nothing where a product or a sum may leave its type or is undefined: terms then decide one by
  // one.
  std::optional<BoundedNumber> real(size_t element, const SumBound& sums) const;
  std::optional<BoundedInteger> whole(size_t element) const;
};

// The axes of the element's two factors. Nothing if the computation does not sum products, if data
// choose their elements, or if no element of a factor is used for more than one output element.
std::optional<Contraction> contraction_of(const Computation& computation);

// Nothing if there is no contraction.
std::optional<ProductSums> product_sums(const ElementEvaluator& evaluator);

}  // namespace dovetail
