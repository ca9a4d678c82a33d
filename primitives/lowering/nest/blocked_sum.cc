// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/blocked_sum.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/loop/nesting.h"
#include "primitives/lowering/stage_passes.h"

namespace dovetail {
namespace {

constexpr int64_t kShort = 256;      // terms that need no blocks
constexpr int64_t kSmallTile = 128;  // elements: some vectors, beside which a block's fit

bool is_lane(const StageLoop& loop) { return loop.kind == LoopKind::vectorized; }

int64_t terms_of(std::span<const StageLoop> loops) {
  int64_t terms = 1;
  for (const StageLoop& loop : loops)
    if (loop.reduction && !is_lane(loop)) terms *= loop.extent;
  return terms;
}

// The loops whose sum is in registers.
std::span<const StageLoop> summed_loops(const Stage& stage) {
  return std::span(stage.loops).subspan(tile_position(stage));
}

bool is_long_sum(const Stage& stage) {
  const Computation& c = stage.computation;
  if (!stage.cache_write_at || c.reducer != Reducer::sum || !c.tables.empty() || stage.pairs ||
      !c.chosen.empty())
    return false;
  if (reduced_type(type_of(c, c.element)) != ComputedType::real) return false;  // exact
  int64_t tile = 1;
  for (const StageLoop& loop : summed_loops(stage)) tile *= loop.reduction ? 1 : loop.extent;
  const bool fits = !is_product_sum(c) || tile <= kSmallTile;
  return fits && terms_of(summed_loops(stage)) > kShort;
}

// Additions one after the other where blocks begin at this loop: in a block, and of all blocks.
int64_t chain_at(std::span<const StageLoop> loops, size_t position) {
  return terms_of(loops.subspan(position)) + terms_of(loops.first(position));
}

// A cut of the loop near this extent, a divisor where there is one.
loop::Split cut_near(const StageLoop& loop, int64_t wanted) {
  int64_t best = 0;
  for (const int64_t divisor : divisors(loop.extent))
    if (divisor >= wanted / 4 && divisor <= wanted * 4 &&
        (best == 0 || std::abs(divisor - wanted) < std::abs(best - wanted)))
      best = divisor;
  if (best > 1 && best < loop.extent) return {.loop = loop.name, .factor = best};
  return {.loop = loop.name, .factor = wanted, .tail = Tail::cut};
}

}  // namespace

std::optional<size_t> block_position(const Stage& stage) {
  if (!is_long_sum(stage)) return std::nullopt;
  const std::span<const StageLoop> loops = summed_loops(stage);
  size_t best = 0;
  for (size_t l = 1; l < loops.size(); ++l)
    if (terms_of(loops.first(l)) > 1 && terms_of(loops.subspan(l)) > 1 &&
        (best == 0 || chain_at(loops, l) < chain_at(loops, best)))
      best = l;
  if (best == 0 || 2 * chain_at(loops, best) > terms_of(loops)) return std::nullopt;
  return static_cast<size_t>(loops.data() - stage.loops.data()) + best;
}

Stage with_block_loop(const Stage& stage) {
  if (!is_long_sum(stage)) return stage;
  const int64_t terms = terms_of(summed_loops(stage));
  const auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(terms)));
  const std::optional<size_t> known = block_position(stage);
  const size_t at = tile_position(stage);
  if (known && chain_at(summed_loops(stage), *known - at) <= 4 * root) return stage;
  const StageLoop* longest = nullptr;
  for (const StageLoop& loop : summed_loops(stage))
    if (loop.reduction && loop.kind == LoopKind::serial && loop.extent > 3 &&
        (longest == nullptr || loop.extent > longest->extent))
      longest = &loop;
  if (longest == nullptr) return stage;
  const auto mentions = [&](const Bound& bound) { return bound.expr.mentions(longest->name); };
  const bool is_fixed = std::ranges::any_of(stage.bounds, mentions) ||
                        std::ranges::find(stage.prefetches, longest->name, &StagePrefetch::loop) !=
                            stage.prefetches.end();
  if (is_fixed) return stage;
  const int64_t inside = terms_of(std::span(longest + 1, stage.loops.data() + stage.loops.size()));
  const int64_t wanted = std::clamp<int64_t>(root / inside, 2, longest->extent / 2);
  const Result<Stage> cut = apply(cut_near(*longest, wanted), stage);
  return cut ? *cut : stage;
}

double longest_chain(const Stage& stage) {
  const Stage cut = with_block_loop(stage);
  const size_t at = cut.cache_write_at ? tile_position(cut) : 0;
  const std::span<const StageLoop> loops(cut.loops);
  const std::optional<size_t> block = block_position(cut);
  double inside = static_cast<double>(terms_of(loops.subspan(at)));
  if (block) inside = static_cast<double>(chain_at(loops.subspan(at), *block - at));
  double lanes = 0;
  for (const StageLoop& loop : loops)
    if (loop.reduction && is_lane(loop)) lanes += static_cast<double>(loop.extent);
  return inside * static_cast<double>(terms_of(loops.first(at))) + lanes;
}

}  // namespace dovetail
