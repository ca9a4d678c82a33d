// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/loop_range.h"

#include <algorithm>
#include <optional>

#include "core/base/check.h"

namespace dovetail {
namespace {

class RangeBuilder {
 public:
  RangeBuilder(int64_t extent, const Ranges& outer) : outer_(outer) { range_.end = extent; }

  // lower <= c·v + rest < upper   is   ⌈(lower - rest) / c⌉ <= v < ⌈(upper - rest) / c⌉   for c > 0
  void add(const Bound& bound, int64_t c, const IndexExpr& rest) {
    if (c > 0) {
      at_least(floor_div(IndexExpr(bound.lower + c - 1) - rest, c, outer_));
      below(floor_div(IndexExpr(bound.upper + c - 1) - rest, c, outer_));
    } else {
      at_least(floor_div(rest - IndexExpr(bound.upper) + IndexExpr(-c), -c, outer_));
      below(floor_div(rest - IndexExpr(bound.lower), -c, outer_) + IndexExpr(1));
    }
  }

  LoopRange finish() {
    range_.may_be_empty =
        std::max(range_.start, latest_start_) >= std::min(range_.end, earliest_end_);
    return std::move(range_);
  }

 private:
  void at_least(const IndexExpr& limit) {
    const std::optional<Range> range = known_range(limit, outer_);
    if (range) range_.start = std::max(range_.start, range->min);
    latest_start_ = std::max(latest_start_, range ? range->max : INT64_MAX);
    if (!range || range->max > range_.start) range_.first.push_back(limit);
  }
  void below(const IndexExpr& limit) {
    const std::optional<Range> range = known_range(limit, outer_);
    if (range) range_.end = std::min(range_.end, range->max);
    earliest_end_ = std::min(earliest_end_, range ? range->min : INT64_MIN);
    if (!range || range->min < range_.end) range_.last.push_back(limit);
  }

  const Ranges& outer_;
  LoopRange range_;
  int64_t latest_start_ = 0, earliest_end_ = INT64_MAX;
};

}  // namespace

LoopRange loop_range(std::string_view variable, int64_t extent, const std::vector<Bound>& bounds,
                     const Ranges& outer) {
  RangeBuilder builder(extent, outer);
  for (const Bound& bound : bounds) {
    const int64_t c = bound.expr.coefficient(variable);
    CHECK(c != 0, "a clipped loop's bound moves with it: " + print(bound.expr));
    builder.add(bound, c, bound.expr - IndexExpr::variable(std::string(variable)) * c);
  }
  return builder.finish();
}

}  // namespace dovetail
