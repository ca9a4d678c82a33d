// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/opencl/lanes.h"

#include <algorithm>
#include <set>

namespace dovetail::opencl {
namespace {

using Values = std::map<std::string, IndexExpr, std::less<>>;

IndexExpr with_values(const IndexExpr& e, const Values& values, const Ranges& ranges) {
  if (values.empty() || e.is_constant()) return e;
  if (!e.is_affine()) return substitute(e, values, ranges);
  // Fast path: most statements of an unrolled tile are affine.
  std::vector<IndexTerm> terms;
  int64_t constant = e.constant();
  IndexExpr others;
  for (const IndexTerm& term : e.terms()) {
    const auto found = values.find(term.atom.variable);
    if (found == values.end())
      terms.push_back(term);
    else if (found->second.is_constant())
      constant += term.coefficient * found->second.constant();
    else
      others = others + found->second * term.coefficient;
  }
  return IndexExpr::of(std::move(terms), constant) + others;
}

}  // namespace

IndexExpr resolve(const IndexExpr& e, const LoopScope& scope) {
  return with_values(e, scope.values, scope.ranges);
}

LaneValues lane_values(const IndexExpr& e, const LoopScope& scope, const Lanes& lanes) {
  const IndexExpr resolved = resolve(e, scope);
  LaneValues values;
  values.reserve(static_cast<size_t>(lanes.width));
  for (int lane = 0; lane < lanes.width; ++lane) {
    values.push_back(lanes.variable.empty()
                         ? resolved
                         : with_values(resolved, {{lanes.variable, IndexExpr(lanes.first + lane)}},
                                       scope.ranges));
  }
  return values;
}

bool is_uniform(const LaneValues& values) {
  return std::ranges::all_of(values, [&](const IndexExpr& e) { return e == values[0]; });
}

bool is_contiguous(const LaneValues& values) {
  for (size_t lane = 0; lane < values.size(); ++lane) {
    if (values[lane].terms() != values[0].terms()) return false;
    if (values[lane].constant() != values[0].constant() + static_cast<int64_t>(lane)) return false;
  }
  return true;
}

bool are_distinct(const LaneValues& values) {
  std::set<int64_t> constants;
  for (const IndexExpr& value : values) {
    if (value.terms() != values[0].terms()) return false;  // unknown
    if (!constants.insert(value.constant()).second) return false;
  }
  return true;
}

bool is_multiple(const IndexExpr& e, int64_t divisor) {
  return e.constant() % divisor == 0 && std::ranges::all_of(e.terms(), [&](const IndexTerm& term) {
           return term.coefficient % divisor == 0;
         });
}

Truth truth_of(const Bound& bound, const Ranges& ranges) {
  const Range range = range_of(bound.expr, ranges);
  if (range.min >= bound.lower && range.max < bound.upper) return Truth::always;
  if (range.max < bound.lower || range.min >= bound.upper) return Truth::never;
  return Truth::sometimes;
}

bool coordinate_covers(const IndexExpr& coordinate, int64_t extent, const Bound& bound,
                       const Ranges& ranges) {
  const int64_t count = bound.upper - bound.lower;
  if (count <= 0 || extent % count != 0) return false;
  const int64_t step = extent / count;
  const IndexExpr rest = coordinate - (bound.expr - IndexExpr(bound.lower)) * step;
  const Range range = range_of(rest, ranges);
  return range.min >= 0 && range.max < step;
}

}  // namespace dovetail::opencl
