// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/work_groups/group_copy.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/ir/layout/layout.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

// Loops around a single store, one inside the other; empty for any other nest.
std::vector<const Loop*> loops_to_store(const Loop& nest) {
  std::vector<const Loop*> loops;
  for (const Loop* loop = &nest; loop != nullptr;) {
    const bool is_plain = loop->kind != LoopKind::bound && loop->kind != LoopKind::parallel &&
                          loop->bounds.empty() && !loop->at && loop->intrinsic.empty();
    if (!is_plain || loop->body.size() != 1) return {};
    loops.push_back(loop);
    const Statement& inner = loop->body[0];
    if (std::holds_alternative<Store>(inner.node)) return loops;
    loop = std::get_if<Loop>(&inner.node);
  }
  return {};
}

// True where the loops' values make each of `elements` offsets from 0 on once: steps of 1, of the
// first loop's extent, and so on.
bool covers(const IndexExpr& offset, const std::vector<const Loop*>& loops, int64_t elements) {
  std::map<int64_t, int64_t> extent_of_step;
  for (const Loop* loop : loops) {
    const int64_t step = offset.coefficient(loop->variable);
    if (loop->extent == 1) continue;
    if (step <= 0 || !extent_of_step.emplace(step, loop->extent).second) return false;
  }
  int64_t covered = 1;
  for (const auto& [step, extent] : extent_of_step) {
    if (step != covered) return false;
    covered *= extent;
  }
  return covered == elements;
}

// True if the variable occurs in sums alone, and so adds its multiples wherever it is.
bool is_apart(const IndexExpr& e, const std::string& variable) {
  return std::ranges::none_of(e.terms(), [&](const IndexTerm& term) {
    return term.atom.kind != IndexAtom::Kind::variable && term.atom.inner->mentions(variable);
  });
}

bool is_multiple(const IndexExpr& e, int64_t of) {
  return e.constant() % of == 0 && std::ranges::all_of(e.terms(), [&](const IndexTerm& term) {
           return term.coefficient % of == 0;
         });
}

// `e` with the loops' variables at 0; they occur in sums alone.
IndexExpr without(const IndexExpr& e, const std::vector<const Loop*>& loops) {
  std::vector<IndexTerm> kept;
  for (const IndexTerm& term : e.terms()) {
    const bool is_removed = term.atom.kind == IndexAtom::Kind::variable &&
                            std::ranges::any_of(loops, [&](const Loop* loop) {
                              return loop->variable == term.atom.variable;
                            });
    if (!is_removed) kept.push_back(term);
  }
  return IndexExpr::of(std::move(kept), e.constant());
}

class GroupCopyWalk {
 public:
  GroupCopyWalk(const Program& program, int64_t aligned_bytes) : aligned_bytes_(aligned_bytes) {
    for (const Buffer& buffer : program.buffers)
      stored_[buffer.name] = {physical_extents(buffer.layout), buffer.dtype};
  }

  // Where a loop's bounds may differ between work-items, they copy nothing together.
  void block(const Block& block) {
    for (const Statement& statement : block) {
      if (const auto* tile = std::get_if<ScopedTile>(&statement.node))
        stored_[tile->name] = {tile->extents, tile->type};
      const auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr || !loop->bounds.empty() || loop->at || !loop->intrinsic.empty())
        continue;
      if (is_over_work_items(*loop)) items_.push_back(loop);
      if (std::optional<GroupCopy> found = copy(*loop))
        found_.emplace(loop, *std::move(found));
      else
        this->block(loop->body);
    }
  }

  GroupCopies take() { return std::move(found_); }

 private:
  struct Stored {
    std::vector<int64_t> extents;
    ElementType type = ElementType::f32;
  };

  std::optional<GroupCopy> copy(const Loop& nest) const {
    const std::vector<const Loop*> loops = loops_to_store(nest);
    if (loops.empty()) return std::nullopt;
    GroupCopy copy;
    copy.store = &std::get<Store>(loops.back()->body[0].node);
    const auto* load = copy.store->value.as<Load>();
    if (!copy.store->async || load == nullptr) return std::nullopt;
    const Stored &tile = stored_.at(copy.store->target), &buffer = stored_.at(load->buffer);
    if (tile.type != buffer.type) return std::nullopt;
    copy.to = flattened(copy.store->indices, tile.extents);
    copy.from = flattened(load->indices, buffer.extents);
    if (!take_pieces(loops, copy)) return std::nullopt;
    const int64_t aligned = aligned_bytes_ / bytes_of(tile.type);
    const bool is_aligned = is_multiple(copy.to, aligned) && is_multiple(copy.from, aligned) &&
                            copy.elements % aligned == 0;
    return is_aligned ? std::optional(std::move(copy)) : std::nullopt;
  }

  // Both sides advance together along all loops but those of the pieces.
  bool take_pieces(const std::vector<const Loop*>& loops, GroupCopy& copy) const {
    const IndexExpr difference = copy.from - copy.to;
    std::vector<const Loop*> along = items_;
    for (const Loop* loop : loops)
      (difference.mentions(loop->variable) ? copy.pieces : along).push_back(loop);
    copy.elements = 1;
    for (const Loop* loop : along) {
      if (difference.mentions(loop->variable) || !is_apart(copy.to, loop->variable)) return false;
      copy.elements *= loop->extent;
    }
    if (!covers(copy.to, along, copy.elements)) return false;
    copy.to = without(copy.to, along);
    copy.from = copy.to + difference;
    return true;
  }

  int64_t aligned_bytes_;
  std::map<std::string, Stored, std::less<>> stored_;  // buffers, and tiles in scope
  std::vector<const Loop*> items_;
  GroupCopies found_;
};

}  // namespace

GroupCopies group_copies(const Program& program, const Kernel& kernel, int64_t aligned_bytes) {
  GroupCopyWalk walk(program, aligned_bytes);
  walk.block(kernel.body);
  return walk.take();
}

}  // namespace dovetail
