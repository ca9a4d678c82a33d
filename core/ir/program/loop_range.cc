// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/loop_range.h"

#include <algorithm>
#include <limits>
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
    range_.may_be_empty = latest_start() >= earliest_end();
    return std::move(range_);
  }

 private:
  void at_least(const IndexExpr& limit) {
    const std::optional<Range> range = known_range(limit, outer_);
    if (range) range_.start = std::max(range_.start, range->min);
    if (!range || range->max > range_.start) range_.first.push_back(limit);
  }
  void below(const IndexExpr& limit) {
    const std::optional<Range> range = known_range(limit, outer_);
    if (range) range_.end = std::min(range_.end, range->max);
    if (!range || range->min < range_.end) range_.last.push_back(limit);
  }

  int64_t latest_start() const {
    int64_t latest = range_.start;
    for (const IndexExpr& limit : range_.first) {
      const std::optional<Range> range = known_range(limit, outer_);
      if (!range) return std::numeric_limits<int64_t>::max();
      latest = std::max(latest, range->max);
    }
    return latest;
  }
  int64_t earliest_end() const {
    int64_t earliest = range_.end;
    for (const IndexExpr& limit : range_.last) {
      const std::optional<Range> range = known_range(limit, outer_);
      if (!range) return std::numeric_limits<int64_t>::min();
      earliest = std::min(earliest, range->min);
    }
    return earliest;
  }

  const Ranges& outer_;
  LoopRange range_;
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
