// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/rounds_in_turn.h"

#include <algorithm>
#include <optional>

#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/program/walk.h"
#include "primitives/lowering/nest/staged_fill.h"
#include "primitives/lowering/passes/rewrite_block.h"

namespace dovetail {
namespace {

// Copies that a round starts one after another, without a loop, which an instruction that runs on
// by itself would not outlast.
constexpr int64_t kMostCopiesWrittenOut = 32;

void mark_async(Block& block, const std::string& tile) {
  for (Statement& statement : block) {
    if (auto* loop = std::get_if<Loop>(&statement.node)) mark_async(loop->body, tile);
    auto* store = std::get_if<Store>(&statement.node);
    if (store != nullptr && store->target == tile) store->async = true;
  }
}

// Stores of the block, a vectorized loop's as one; those of a loop that is not serial count as many
// as no limit allows.
int64_t copies_in(const Block& block) {
  int64_t copies = 0;
  for (const Statement& statement : block) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    const bool is_serial =
        loop != nullptr && loop->kind == LoopKind::serial && loop->bounds.empty() && !loop->at;
    if (loop == nullptr || loop->kind == LoopKind::vectorized)
      ++copies;
    else
      copies += is_serial ? loop->extent * copies_in(loop->body) : kMostCopiesWrittenOut + 1;
  }
  return copies;
}

void write_out(Block& block) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr || loop->kind != LoopKind::serial) continue;
    loop->kind = LoopKind::unrolled;
    write_out(loop->body);
  }
}

bool runs_by_itself(const Block& use) {
  return any_statement(use, [](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr && is_asynchronous(loop->intrinsic);
  });
}

class RoundsInTurn {
 public:
  RoundsInTurn(const StageLoop& loop, const std::vector<const Fill*>& fills)
      : loop_(loop),
        fills_(fills),
        copies_(fills[0]->stage->attachment->copies),
        ahead_(copies_ - 1 - fills[0]->stage->attachment->behind),
        is_shared_(std::ranges::any_of(fills, is_local)) {}

  Block block(const Block& use, bool repeated) const {
    Block result;
    for (const Fill* fill : fills_) declare_part(*fill, result);
    if (is_shared_ && repeated) result.push_back({Barrier{}});
    for (int64_t round = 0; round < ahead_; ++round) {
      if (round > 0) result.push_back({barrier(use)});
      for (const Fill* fill : fills_)
        append(result, fill_for(*fill, IndexExpr(round), IndexExpr(round)));
    }
    const int64_t last = loop_.extent - ahead_;
    result.push_back({Loop{loop_.name, last, loop_.kind, loop_.thread, body(use)}});
    append(result, last_rounds(use, last));
    return result;
  }

 private:
  bool is_async() const { return copies_ > 2; }
  Barrier barrier(const Block& use) const {
    return {.leaving = ahead_ - 1, .products = runs_by_itself(use) ? copies_ - 1 - ahead_ : 0};
  }

  Block fill_for(const Fill& fill, const IndexExpr& round, const IndexExpr& copy) const {
    Block nest = with_first_index(with_variable(fill.nest, loop_.name, round), tile_of(fill), copy);
    if (is_async()) mark_async(nest, tile_of(fill));
    return nest;
  }

  // A later round's fills: loads into registers, which wait for nobody, and stores from them once
  // this round's copies were used; and fills that go straight to their tiles.
  struct LaterFills {
    Block loads, straight, stores;
  };

  LaterFills later_fills(const IndexExpr& round, const IndexExpr& copy) const {
    LaterFills later;
    for (const Fill* fill : fills_) {
      Block nest = fill_for(*fill, round, copy);
      if (is_async() && copies_in(nest) <= kMostCopiesWrittenOut) write_out(nest);
      const ElementType stored = tensor_named(fill->stage->computation, tile_of(*fill)).type;
      std::optional<StagedFill> staged;
      if (is_local(fill) && !is_async())
        staged =
            through_registers(nest, tile_of(*fill), type_in_tile(stored, TileScope::registers));
      append(later.loads, staged ? std::move(staged->loads) : Block{});
      append(later.straight, staged ? Block{} : std::move(nest));
      append(later.stores, staged ? std::move(staged->stores) : Block{});
    }
    return later;
  }

  Block body(const Block& use) const {
    const IndexExpr round = IndexExpr::variable(loop_.name);
    const IndexExpr later = round + IndexExpr(ahead_);
    const Ranges ranges = {{loop_.name, {0, loop_.extent - 1}}};
    LaterFills fills = later_fills(later, floor_mod(later, copies_, ranges));
    Block used = used_copy(use, floor_mod(round, copies_, ranges));
    Block result = std::move(fills.loads);
    if (is_shared_) result.push_back({barrier(use)});
    const bool use_first = is_async() && runs_by_itself(use);
    for (Block* part : {use_first ? &used : &fills.straight, use_first ? &fills.straight : &used})
      append(result, std::move(*part));
    append(result, std::move(fills.stores));
    return result;
  }

  // From round `first` on, which find their copies filled.
  Block last_rounds(const Block& use, int64_t first) const {
    const int64_t count = ahead_;
    const std::string name = loop_.name + ".last";
    const IndexExpr round =
        (count == 1 ? IndexExpr(0) : IndexExpr::variable(name)) + IndexExpr(first);
    const Ranges ranges = {{name, {0, count - 1}}};
    Block result;
    if (is_shared_) result.push_back({barrier(use)});
    append(result, with_variable(used_copy(use, floor_mod(round, copies_, ranges)), loop_.name,
                                 round, ranges));
    if (count == 1) return result;
    Block rounds;
    rounds.push_back({Loop{name, count, loop_.kind, loop_.thread, std::move(result)}});
    return rounds;
  }

  Block used_copy(Block use, const IndexExpr& copy) const {
    for (const Fill* fill : fills_) use = with_first_index(use, tile_of(*fill), copy);
    return use;
  }

  const StageLoop& loop_;
  const std::vector<const Fill*>& fills_;
  const int64_t copies_, ahead_;
  const bool is_shared_;
};

}  // namespace

Block rounds_in_turn(const StageLoop& loop, const std::vector<const Fill*>& fills, const Block& use,
                     bool repeated) {
  return RoundsInTurn(loop, fills).block(use, repeated);
}

}  // namespace dovetail
