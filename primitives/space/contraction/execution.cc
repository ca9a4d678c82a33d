// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/execution.h"

#include "core/ir/index/range_arithmetic.h"
#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/space/layouts/decode_layouts.h"

namespace dovetail {

const ExecutionRules& execution_rules(const Target& target) {
  return runs_threads(target) ? kThreadRules : kWorkGroupRules;
}

loop::Reorder reorder_around(const std::string& inner, const SharedSum& sum) {
  std::vector<std::string> order = sum.outer;
  order.push_back(inner);
  order.insert(order.end(), sum.lanes.begin(), sum.lanes.end());
  return {std::move(order)};
}

std::vector<LoopPrimitive> loops_of_sum(const TensorLayout& layout, const Tensor& output,
                                        const std::string& parts, const Target& target) {
  std::vector<LoopPrimitive> list;
  const SharedSum sum =
      execution_rules(target).share_sum(applied(layout, output.dims).axes, target, list);
  const std::string at = sum.outer.empty() ? "root" : sum.outer.back();
  list.emplace_back(reorder_around(parts, sum));
  for (const std::string& name : sum.lanes) list.emplace_back(loop::Vectorize{name});
  list.emplace_back(loop::CacheWrite{output.name, at});
  list.insert(list.end(), sum.sharing.begin(), sum.sharing.end());
  return list;
}

bool is_reduction_worth_sharing(const ContractionFacts& s, const Target& target) {
  int64_t vectors = 1;
  for (const std::string& axis : s.outer) vectors *= s.axis(axis).extent * s.axis(axis).phases;
  if (!s.vector_axis.empty()) vectors = ceil_quotient(vectors, s.lanes);
  return !s.pure.empty() && vectors < execution_rules(target).busy_vectors(target);
}

void fuse_with_next(size_t at, Head& head, std::vector<LoopPrimitive>& list) {
  std::string& first = head.loops[at];
  const std::string& second = head.loops[at + 1];
  list.emplace_back(loop::Fuse{first, second});
  const int64_t both = head.extents.at(first) * head.extents.at(second);
  head.extents[fused_name(first, second)] = both;
  first = fused_name(first, second);
  head.loops.erase(head.loops.begin() + static_cast<ptrdiff_t>(at) + 1);
}

std::vector<int64_t> cache_tiles(const ContractionFacts& s, const Choices& c,
                                 const std::string& axis) {
  const int64_t tile = register_tile(c, axis);
  return divisors(ceil_quotient(s.axis(axis).extent, tile));
}

}  // namespace dovetail
