// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/blocked_sum.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/check.h"
#include "core/ir/intrinsic/intrinsic.h"
#include "primitives/divisors.h"
#include "primitives/loop/nesting.h"
#include "primitives/lowering/nest/paired_sum.h"
#include "primitives/lowering/stage_passes.h"

namespace dovetail {
namespace {

constexpr int64_t kShort = 32;          // terms that need no blocks
constexpr int64_t kShortProduct = 256;  // likewise: products, whose signs change, in a busy loop
constexpr int64_t kSmallTile = 128;     // elements; a block's tile fits beside it
constexpr int64_t kItemTile = 16;       // elements per work-item, likewise
constexpr int64_t kSpilledBlock = 128;  // terms that amortise spilling a tile around them

bool is_lane(const StageLoop& loop) { return loop.kind == LoopKind::vectorized; }

// Additions in these loops; a pair is one addition, like each other term of its group.
int64_t terms_of(const Stage& stage, std::span<const StageLoop> loops) {
  int64_t terms = stage.pairs ? stage.pairs->signs * (stage.pairs->of - 1) : 1;
  for (const StageLoop& loop : loops)
    if (loop.reduction && !is_lane(loop)) terms *= loop.extent;
  return terms;
}
int64_t rounds_of(std::span<const StageLoop> loops) { return terms_of(Stage(), loops); }

// The loops inside the register tile.
std::span<const StageLoop> summed_loops(const Stage& stage) {
  return std::span(stage.loops).subspan(tile_position(stage));
}

bool is_real_sum(const Stage& stage) {
  const Computation& c = stage.computation;
  return stage.cache_write_at && c.reducer == Reducer::sum && c.tables.empty() &&
         c.gathers.empty() &&
         reduced_type(type_of(c, c.element)) == ComputedType::real;  // others are exact
}

int64_t tile_elements(const Stage& stage) {
  int64_t elements = 1;
  for (const StageLoop& loop : summed_loops(stage)) elements *= loop.reduction ? 1 : loop.extent;
  return elements;
}

// A product's tile fills the registers, so that it is spilled around a block's.
bool is_spilled(const Stage& stage) {
  return is_product_sum(stage.computation) && tile_elements(stage) > kSmallTile;
}

// A large tile on a GPU gets no second one: twice the registers would halve the work-items.
bool has_room(const Stage& stage) {
  const auto is_of_items = [](const StageLoop& loop) { return loop.kind == LoopKind::bound; };
  return !is_product_sum(stage.computation) || tile_elements(stage) <= kItemTile ||
         std::ranges::none_of(stage.loops, is_of_items);
}

// Tensor cores would wait at the end of each block, whose sums are added by other instructions.
bool is_of_tensor_cores(const Stage& stage) {
  return std::ranges::any_of(stage.loops, [](const StageLoop& loop) {
    const Intrinsic* intrinsic = find_intrinsic(loop.intrinsic);
    return intrinsic != nullptr && !intrinsic->lanes.empty();
  });
}

bool is_long_sum(const Stage& stage) {
  const int64_t most = is_product_sum(stage.computation) ? kShortProduct : kShort;
  return is_real_sum(stage) && has_room(stage) && !is_of_tensor_cores(stage) &&
         terms_of(stage, summed_loops(stage)) > most;
}

int64_t shortest_block(const Stage& stage) { return is_spilled(stage) ? kSpilledBlock : 2; }

// Chain of dependent additions if blocks begin at this loop: within a block, and over all blocks.
int64_t chain_at(const Stage& stage, size_t position) {
  const std::span<const StageLoop> loops = summed_loops(stage);
  return terms_of(stage, loops.subspan(position)) + rounds_of(loops.first(position));
}

// A split of the loop near this factor, by a divisor where there is one.
std::optional<loop::Split> cut_near(const StageLoop& loop, int64_t wanted, bool is_spilled) {
  int64_t best = 0;
  for (const int64_t divisor : divisors(loop.extent))
    if (divisor >= (is_spilled ? 2 * wanted / 3 : wanted / 4) && divisor <= wanted * 4 &&
        (best == 0 || std::abs(divisor - wanted) < std::abs(best - wanted)))
      best = divisor;
  if (best > 1 && best < loop.extent) return loop::Split{.loop = loop.name, .factor = best};
  if (is_spilled) return std::nullopt;
  return loop::Split{.loop = loop.name, .factor = wanted, .tail = Tail::cut};
}

// The longest loop of the sum, if it may be split: no bound mentions it, and no prefetch counts its
// iterations.
const StageLoop* longest_loop(const Stage& stage) {
  const StageLoop* longest = nullptr;
  for (const StageLoop& loop : summed_loops(stage))
    if (loop.reduction && loop.kind == LoopKind::serial && loop.extent > 3 &&
        (longest == nullptr || loop.extent > longest->extent))
      longest = &loop;
  if (longest == nullptr) return nullptr;
  const auto mentions = [&](const Bound& bound) { return bound.expr.mentions(longest->name); };
  const bool is_fixed = std::ranges::any_of(stage.bounds, mentions) ||
                        std::ranges::find(stage.prefetches, longest->name, &StagePrefetch::loop) !=
                            stage.prefetches.end();
  return is_fixed ? nullptr : longest;
}

}  // namespace

std::optional<size_t> block_position(const Stage& stage) {
  if (!is_long_sum(stage)) return std::nullopt;
  const std::span<const StageLoop> loops = summed_loops(stage);
  size_t best = 0;
  for (size_t l = 1; l < loops.size(); ++l)
    if (rounds_of(loops.first(l)) > 1 &&
        terms_of(stage, loops.subspan(l)) >= 2 * shortest_block(stage) / 3 &&
        (best == 0 || chain_at(stage, l) < chain_at(stage, best)))
      best = l;
  if (best == 0 || 3 * chain_at(stage, best) > 2 * terms_of(stage, loops)) return std::nullopt;
  return static_cast<size_t>(loops.data() - stage.loops.data()) + best;
}

Stage with_block_loop(const Stage& stage) {
  if (!is_long_sum(stage)) return stage;
  const int64_t terms = terms_of(stage, summed_loops(stage));
  const auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(terms)));
  const int64_t block = std::max(root, shortest_block(stage));
  const std::optional<size_t> known = block_position(stage);
  const size_t at = tile_position(stage);
  if (known && chain_at(stage, *known - at) <= 2 * (block + terms / block)) return stage;
  const StageLoop* longest = longest_loop(stage);
  if (longest == nullptr) return stage;
  const int64_t inside =
      terms_of(stage, std::span(longest + 1, stage.loops.data() + stage.loops.size()));
  const int64_t wanted = std::clamp<int64_t>(block / inside, 2, longest->extent / 2);
  const std::optional<loop::Split> cut = cut_near(*longest, wanted, is_spilled(stage));
  if (!cut) return stage;
  const Result<Stage> result = apply(*cut, stage);
  return result ? *result : stage;
}

Result<Stage> with_summed_loops(const Stage& stage, std::span<const Stage> others) {
  const auto is_inside = [&](const Stage& other) {
    return other.attachment && other.attachment->stage == stage.name;
  };
  const Stage paired = TRY(with_paired_loop(stage));
  return std::ranges::any_of(others, is_inside) ? paired : with_block_loop(paired);
}

double longest_chain(const Stage& stage, std::span<const Stage> others) {
  const Result<Stage> summed = with_summed_loops(stage, others);
  const Stage& cut = summed ? *summed : stage;
  const size_t at = cut.cache_write_at ? tile_position(cut) : 0;
  const std::span<const StageLoop> loops(cut.loops);
  const std::optional<size_t> block = block_position(cut);
  const int64_t inside = block ? chain_at(cut, *block - at) : terms_of(cut, loops.subspan(at));
  int64_t lanes = 0;
  for (const StageLoop& loop : loops)
    if (loop.reduction && is_lane(loop)) lanes += loop.extent;
  const int64_t rounds = rounds_of(loops.first(at));
  return static_cast<double>(inside + (rounds > 1 ? rounds : 0) + lanes);
}

}  // namespace dovetail
