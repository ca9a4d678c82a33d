// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/written_condition.h"

#include <algorithm>
#include <utility>

#include "core/ir/region/region_keys.h"

namespace dovetail {

void add_truth(WrittenCondition& condition, Value truth) {
  condition.truth = condition.truth ? binary(BinaryOp::min, *condition.truth, std::move(truth))
                                    : std::move(truth);
}

Bound bound_of(BinaryOp op, const IndexExpr& a, const IndexExpr& b, const Ranges& axes) {
  const bool from_below = a.is_constant() && !b.is_constant();
  const IndexExpr e = from_below ? b : b.is_constant() ? a : a - b;
  const int64_t limit = from_below ? a.constant() : b.is_constant() ? b.constant() : 0;
  const Range range = known_range(e, axes).value_or(Range{-kMaxSpecNumber, kMaxSpecNumber});
  if (op == BinaryOp::equal) return {e, limit, limit + 1};
  const int64_t open = op == BinaryOp::less ? 1 : 0;
  if (from_below) return {e, limit + open, std::max(range.max, limit + open) + 1};
  return {e, std::min(range.min, limit - open), limit + 1 - open};
}

void join_neighbours(std::vector<Bound>& bounds) {
  for (size_t k = 0; k + 1 < bounds.size();) {
    Bound& first = bounds[k];
    const Bound& next = bounds[k + 1];
    if (!(first.expr == next.expr)) {
      ++k;
      continue;
    }
    first.lower = std::max(first.lower, next.lower);
    first.upper = std::min(first.upper, next.upper);
    bounds.erase(bounds.begin() + static_cast<ptrdiff_t>(k) + 1);
  }
}

}  // namespace dovetail
