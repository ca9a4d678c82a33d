// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/paired_sum.h"

#include <algorithm>

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Stage> with_paired_loop(const Stage& stage) {
  if (!stage.pairs) return stage;
  const auto& [axis, pair, apart, signs] = *stage.pairs;
  const int64_t of = pair * signs;
  const std::string what = "stage " + stage.name;
  Stage result = stage;
  const IndexExpr& counted = stage.axis_values.find(axis)->second;
  const auto counting = std::ranges::find_if(result.loops, [&](const StageLoop& loop) {
    return counted.is_affine() && counted.coefficient(loop.name) == apart;
  });
  if (counting == result.loops.end())
    return refuse(what, "pairs along {}, which no loop steps along by {}", axis, apart);
  if (counting->extent % of != 0)
    return refuse(what,
                  "pairs along {}, whose loop {} has extent {}, expected a multiple "
                  "of {}",
                  axis, counting->name, counting->extent, of);
  if (counting->kind == LoopKind::vectorized)
    return refuse(what, "pairs along {}, whose loop {} is vectorized", axis, counting->name);
  for (const Bound& bound : stage.bounds)
    if (bound.expr.mentions(counting->name))
      return refuse(
          what, "pairs along {}, whose loops were cut where a factor does not divide them", axis);
  if (std::ranges::find(stage.prefetches, counting->name, &StagePrefetch::loop) !=
      stage.prefetches.end())
    return refuse(what, "prefetch at loop {}, which counts pairs; expected one around it",
                  counting->name);
  counting->extent /= of;
  const std::string loop = counting->name;
  const bool is_one = counting->extent == 1;
  if (is_one) result.loops.erase(counting);
  return with_values(std::move(result),
                     {{loop, is_one ? IndexExpr(0) : IndexExpr::variable(loop) * of}});
}

size_t unrolled_inside_pairs(const Stage& stage) {
  if (!stage.pairs) return 0;
  const auto is_of_tile = [](const StageLoop& loop) {
    return !loop.reduction &&
           (loop.kind == LoopKind::unrolled || loop.kind == LoopKind::vectorized);
  };
  const auto begin = std::find_if_not(stage.loops.rbegin(), stage.loops.rend(), is_of_tile);
  return static_cast<size_t>(begin - stage.loops.rbegin());
}

Result<std::vector<Value>> paired_elements(
    const Stage& stage, const std::function<Result<Value>(const Access&)>& read) {
  const auto& [axis, of, apart, signs] = *stage.pairs;
  const std::span<const Access> reads = element_reads(stage.computation);
  const Ranges ranges = axis_ranges(stage.computation);
  std::vector<Value> x, w;
  for (int64_t k = 0; k < of * signs; ++k) {
    const IndexValues values{{axis, IndexExpr::variable(axis) + k * apart}};
    x.push_back(TRY(read(substituted(reads[0], values, ranges))));
    w.push_back(TRY(read(substituted(reads[1], values, ranges))));
  }
  std::vector<Value> elements;
  for (int64_t sign = 0; sign < signs; ++sign) {
    const auto at = static_cast<size_t>(sign * of), end = static_cast<size_t>((sign + 1) * of);
    const Value &a = x[at], &b = w[at], &c = x[at + 1], &d = w[at + 1];
    // X is the subtrahend, which an instruction of AVX-512 can broadcast from memory.
    elements.push_back(
        sign == 0 ? binary(BinaryOp::mul, binary(BinaryOp::add, a, d), binary(BinaryOp::add, c, b))
                  : binary(BinaryOp::mul, binary(BinaryOp::mul, binary(BinaryOp::sub, d, a), -1.0),
                           binary(BinaryOp::sub, b, c)));
    for (size_t k = at + 2; k < end; ++k) elements.push_back(binary(BinaryOp::mul, x[k], w[k]));
  }
  return elements;
}

}  // namespace dovetail
