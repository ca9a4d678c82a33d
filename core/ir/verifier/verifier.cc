// SPDX-License-Identifier: Apache-2.0
//
// verify() of core/ir/program/program.h. The traversal follows the order of execution and tracks
// the context of a statement: loops, bounds, tiles, and the part of each target that is stored to.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/base/fail.h"
#include "core/ir/index/bounded_range.h"
#include "core/ir/intrinsic/match.h"
#include "core/ir/program/barriers.h"
#include "core/ir/program/program.h"
#include "core/ir/program/program_words.h"
#include "core/ir/program/walk.h"
#include "core/ir/verifier/copies_in_turn.h"
#include "core/ir/verifier/verify_declarations.h"

namespace dovetail {
namespace {

// The hull of the elements stored to so far; nullopt before the first store.
using Stored = std::optional<std::vector<Range>>;

struct Storage {
  std::string name;
  std::vector<int64_t> extents;
  const Buffer* buffer = nullptr;  // null for a tile
  TileScope scope = TileScope::registers;
  size_t loops_around = 0;  // number of loops around a tile's declaration
  Stored stored;
};

class KernelVerifier {
 public:
  KernelVerifier(const Kernel& kernel, std::vector<Storage>& buffers)
      : kernel_(kernel), targets_(buffers) {}

  Result<void> run() {
    const Result<void> result = block(kernel_.body);
    if (!result) return fail("kernel {}: {}", kernel_.name, result.error().message);
    return {};
  }

 private:
  Result<void> block(const Block& block) {
    const size_t visible = targets_.size();
    for (const Statement& statement : block)
      if (const auto* loop = std::get_if<Loop>(&statement.node))
        TRY(this->loop(*loop, block.size()));
      else if (const auto* tile = std::get_if<ScopedTile>(&statement.node))
        TRY(declare(*tile));
      else if (const auto* store = std::get_if<Store>(&statement.node))
        TRY(this->store(*store));
      else
        TRY(check_barrier());
    targets_.resize(visible);
    return {};
  }

  Result<void> loop(const Loop& loop, size_t siblings) {
    TRY(check_name("loop", loop.variable));
    if (ranges_.contains(loop.variable))
      return fail("loop {0} is inside another loop {0}", loop.variable);
    TRY(check_extents("loop " + loop.variable, {loop.extent}));
    TRY(check_kind(loop, loops_, siblings));
    if (loop.kind == LoopKind::bound) TRY(check_bound_alike(loop));
    if (loop.at) TRY(check_chosen(loop));
    loops_.push_back(&loop);
    ranges_[loop.variable] = {0, loop.extent - 1};
    const size_t outside = bounds_.size();
    for (const Bound& bound : loop.bounds) {
      TRY(check_may_be_clipped(loop));
      TRY(check_variables(bound.expr));
      TRY(check_clips_a_stretch(loop, bound));
    }
    assume(loop.bounds);
    for (const Prefetch& prefetch : loop.prefetches) TRY(check_prefetch(loop, prefetch));
    const Ranges around = loop.bounds.empty() ? Ranges() : narrow();
    TRY(block(loop.body));
    if (!loop.bounds.empty()) ranges_ = around;
    bounds_.resize(outside);
    ranges_.erase(loop.variable);
    loops_.pop_back();
    return {};
  }

  Result<void> check_chosen(const Loop& loop) {
    if (loop.kind != LoopKind::serial || !loop.bounds.empty())
      return fail(
          "loop {} is {}, but a value names its only iteration; expected a "
          "plain serial loop",
          loop.variable,
          loop.bounds.empty() ? kLoopKinds[static_cast<size_t>(loop.kind)]
                              : std::string_view("clipped"));
    return value(*loop.at);
  }

  // A prefetch may point anywhere, because nothing is read.
  Result<void> check_prefetch(const Loop& loop, const Prefetch& prefetch) {
    const Storage* target = find(prefetch.buffer);
    if (target == nullptr || target->buffer == nullptr)
      return fail("loop {} prefetches {}, which is no buffer", loop.variable, prefetch.buffer);
    if (prefetch.indices.size() != target->extents.size())
      return fail("{} has {} indices, expected {}", shown(prefetch.buffer, prefetch.indices),
                  prefetch.indices.size(), target->extents.size());
    for (const IndexExpr& index : prefetch.indices) TRY(check_variables(index));
    if (loop.kind == LoopKind::vectorized)
      return fail("vectorized loop {} prefetches {}, expected a loop around it", loop.variable,
                  prefetch.buffer);
    if (prefetch.lines >= 1 && prefetch.lines <= kMaxPrefetchedLines) return {};
    return fail("loop {} prefetches {} lines of {}, expected 1 to {}", loop.variable,
                prefetch.lines, prefetch.buffer, kMaxPrefetchedLines);
  }

  // All work-items of a group must reach a barrier together.
  Result<void> check_barrier() const {
    for (const Loop* loop : loops_)
      if (!loop->bounds.empty() || loop->at)
        return fail("{} loop {} holds a barrier", loop->at ? "chosen" : "clipped", loop->variable);
    return {};
  }

  // The bounds are assumed to hold until bounds_ is cut to its former size.
  void assume(const std::vector<Bound>& bounds) {
    for (const Bound& bound : bounds) {
      for (const Bound& known : {bound, without_division(bound), without_remainder(bound, ranges_)})
        if (std::ranges::find(bounds_, known) == bounds_.end()) bounds_.push_back(known);
    }
  }

  // Variables are integers: 0 <= 2*h + 1 < 7 leaves h below 3, which twice the bound does not show
  // of 4*h. Returns the ranges as they were.
  Ranges narrow() {
    const Ranges around = ranges_;
    for (const Bound& bound : bounds_)
      for (const std::string& name : bound.expr.variables())
        if (const auto range = bounded_range(IndexExpr::variable(name), ranges_, bounds_))
          if (range->min <= range->max) ranges_[name] = *range;
    return around;
  }

  // All loops of a kernel that are bound to one thread axis must have one extent.
  Result<void> check_bound_alike(const Loop& loop) {
    const auto [first, inserted] = bound_.try_emplace(loop.thread, &loop);
    if (first->second->extent == loop.extent) return {};
    return fail("loops {} and {} are bound to {} with extents {} and {}", first->second->variable,
                loop.variable, print(loop.thread), first->second->extent, loop.extent);
  }

  Result<void> declare(const ScopedTile& tile) {
    const std::string_view noun = kTileNouns[static_cast<size_t>(tile.scope)];
    TRY(check_name(noun, tile.name));
    if (tile.scope == TileScope::workspace)
      return fail("{} {} stands in a kernel, expected a temporary buffer", noun, tile.name);
    for (const Storage& target : targets_)
      if (target.name == tile.name)
        return fail(
            "{} {} hides a {} of that name", noun, tile.name,
            target.buffer != nullptr ? "buffer" : kTileNouns[static_cast<size_t>(target.scope)]);
    TRY(check_extents(fmt::format("{} {}", noun, tile.name), tile.extents));
    targets_.push_back({.name = tile.name,
                        .extents = tile.extents,
                        .buffer = nullptr,
                        .scope = tile.scope,
                        .loops_around = tile.scope == TileScope::local ? 0 : loops_.size(),
                        .stored = std::nullopt});
    return {};
  }

  Result<void> store(const Store& store) {
    TRY(value(store.value));
    std::vector<Range> ranges = TRY(access(store.target, store.indices));
    Storage& target = *find(store.target);
    TRY(check_written(target));
    if (store.streaming && (accumulates(store) || target.buffer == nullptr))
      return fail("{} is stored to past the caches, expected a plain store to a buffer",
                  store.target);
    TRY(check_race(target, store));
    if (accumulates(store)) return check_stored(target, store.indices, ranges);
    if (!target.stored) {
      target.stored = std::move(ranges);
    } else {
      for (size_t d = 0; d < ranges.size(); ++d) {
        Range& hull = (*target.stored)[d];
        hull = {std::min(hull.min, ranges[d].min), std::max(hull.max, ranges[d].max)};
      }
    }
    return {};
  }

  Result<void> check_written(const Storage& target) const {
    if (target.buffer == nullptr) return {};
    const BufferRole role = target.buffer->role;
    const std::string_view word = kBufferRoles[static_cast<size_t>(role)];
    if (is_input(role)) return fail("{} is stored to, but it is an input ({})", target.name, word);
    if (kernel_.prepares == (role == BufferRole::prepared)) return {};
    return fail("{} is {}; a kernel that {} stores to {} only", target.name, word,
                kernel_.prepares ? "prepares constants" : "runs every time",
                kernel_.prepares ? "prepared buffers" : "outputs and temporaries");
  }

  // A kernel that prepares constants may read only constants and prepared buffers.
  Result<void> check_read_once(const Storage& target) const {
    if (!kernel_.prepares || target.buffer == nullptr) return {};
    const BufferRole role = target.buffer->role;
    if (role == BufferRole::constant || role == BufferRole::prepared) return {};
    return fail("{} is {}; a kernel that prepares constants reads constants only", target.name,
                kBufferRoles[static_cast<size_t>(role)]);
  }

  // Iterations that run at the same time must not store to the same element.
  Result<void> check_race(const Storage& target, const Store& store) const {
    const size_t first = target.loops_around;
    for (size_t i = first; i < loops_.size(); ++i) {
      const Loop& loop = *loops_[i];
      if (loop.extent == 1 || !is_concurrent(loop, target)) continue;
      const bool mentioned = std::ranges::any_of(
          store.indices, [&](const IndexExpr& e) { return e.mentions(loop.variable); });
      if (!mentioned)
        return fail("{}: every iteration of {} loop {} stores to the same element",
                    shown(store.target, store.indices), kLoopKinds[static_cast<size_t>(loop.kind)],
                    loop.variable);
    }
    return {};
  }

  // Each group has its own `local` memory, each thread its own `private` memory.
  static bool is_concurrent(const Loop& loop, const Storage& target) {
    if (target.buffer == nullptr && target.scope == TileScope::local)
      return is_over_work_items(loop);
    if (loop.kind == LoopKind::parallel) return true;
    return loop.kind == LoopKind::bound;
  }

  Result<void> value(const Value& value) {
    if (const auto* load = value.as<Load>()) {
      const std::vector<Range> ranges = TRY(access(load->buffer, load->indices));
      TRY(check_read_once(*find(load->buffer)));
      return check_stored(*find(load->buffer), load->indices, ranges);
    }
    if (const auto* s = value.as<Select>()) return select(*s);
    if (const auto* index = value.as<IndexValue>()) return check_variables(index->index);
    if (value.as<ReadOf>() != nullptr || value.as<Reduced>() != nullptr)
      return fail("{} stands in a program, expected a load", print(value));
    Result<void> result;
    for_each_operand(value, [&](const Value& operand) {
      if (result) result = this->value(operand);
    });
    return result;
  }

  Result<void> select(const Select& select) {
    for (const Bound& bound : select.bounds) TRY(check_variables(bound.expr));
    const size_t outside = bounds_.size();
    assume(select.bounds);
    TRY(value(select.then));
    bounds_.resize(outside);
    ++in_otherwise_;
    TRY(value(select.otherwise));
    --in_otherwise_;
    return {};
  }

  // The elements stored to must cover those that are read. Only hulls are compared; the interpreter
  // detects holes.
  Result<void> check_stored(const Storage& target, const std::vector<IndexExpr>& indices,
                            const std::vector<Range>& read) const {
    if (target.buffer != nullptr && is_input(target.buffer->role)) return {};
    bool covered = target.stored.has_value();
    bool never = false;
    for (size_t d = 0; covered && d < read.size(); ++d) {
      const Range& hull = (*target.stored)[d];
      never = never || read[d].min > read[d].max;
      covered = never || (hull.min <= read[d].min && read[d].max <= hull.max);
    }
    // `Y = (0 <= k < 1) ? 0 : Y` reads the store of an earlier iteration of the loop over k.
    const bool earlier_round =
        target.loops_around < loops_.size() && in_otherwise_ > 0 && stores_to(target.name);
    if (covered || never || earlier_round || is_stored_round_before(target, indices, read))
      return {};
    return fail("{} is read before it is stored to", shown(target.name, indices));
  }

  // Where copies are used in turn, the first rounds read what was stored before the loop.
  bool is_stored_round_before(const Storage& target, const std::vector<IndexExpr>& indices,
                              const std::vector<Range>& read) const {
    const auto contains = [](const Range& all, const Range& part) {
      return all.min <= part.min && part.max <= all.max;
    };
    for (size_t l = target.loops_around; target.stored && l < loops_.size(); ++l) {
      const Loop& loop = *loops_[l];
      if (loop.kind != LoopKind::serial || !loop.bounds.empty() || loop.at) continue;
      const auto before = stored_ahead(loop, target.name, indices[0], ranges_);
      if (!before) continue;
      Ranges first = ranges_;
      first[loop.variable] = {0, before->rounds - 1};
      bool covered = true;
      for (size_t d = 0; covered && d < indices.size(); ++d) {
        const std::optional<Range> range = bounded_range(indices[d], first, bounds_);
        covered = range && contains((*target.stored)[d], *range) &&
                  (d == 0 || contains(before->hull[d - 1], read[d]));
      }
      if (covered) return true;
    }
    return false;
  }

  bool stores_to(const std::string& name) const {
    return any_statement(kernel_.body, [&](const Statement& statement) {
      const auto* store = std::get_if<Store>(&statement.node);
      return store != nullptr && store->target == name;
    });
  }

  // Returns the ranges of the indices, and fails if they leave the target.
  Result<std::vector<Range>> access(const std::string& name,
                                    const std::vector<IndexExpr>& indices) {
    const Storage* target = find(name);
    if (target == nullptr) return fail("{} is neither a buffer nor a tile", name);
    if (indices.size() != target->extents.size())
      return fail("{} has {} indices, expected {}", shown(name, indices), indices.size(),
                  target->extents.size());
    std::vector<Range> ranges;
    for (size_t d = 0; d < indices.size(); ++d) {
      TRY(check_variables(indices[d]));
      const std::optional<Range> range = bounded_range(indices[d], ranges_, bounds_);
      if (!range) return fail("index {} exceeds 63 bits", print(indices[d]));
      const bool empty = range->min > range->max;
      if (!empty && (range->min < 0 || range->max >= target->extents[d]))
        return fail("{}: index {} of axis {} is in {}..{}, expected 0..{}", shown(name, indices),
                    print(indices[d]), d, range->min, range->max, target->extents[d] - 1);
      ranges.push_back(*range);
    }
    return ranges;
  }

  // Every variable must be that of an enclosing loop, and the index linear in the variable of a
  // vectorized loop.
  Result<void> check_variables(const IndexExpr& e) const {
    for (const std::string& name : e.variables())
      if (!ranges_.contains(name))
        return fail("index {} mentions {}, which is no loop around it", print(e), name);
    if (loops_.empty() || loops_.back()->kind != LoopKind::vectorized) return {};
    const std::string& lane = loops_.back()->variable;
    for (const IndexTerm& term : e.terms())
      if (term.atom.inner && term.atom.inner->mentions(lane))
        return fail("index {} is not linear in the vectorized loop {}", print(e), lane);
    return {};
  }

  Storage* find(const std::string& name) {
    const auto it = std::ranges::find(targets_, name, &Storage::name);
    return it == targets_.end() ? nullptr : &*it;
  }

  static std::string shown(const std::string& name, const std::vector<IndexExpr>& indices) {
    return print(Value(Load{name, indices}));
  }

  const Kernel& kernel_;
  std::vector<Storage>& targets_;  // the buffers, then the visible tiles
  std::vector<const Loop*> loops_;
  Ranges ranges_;
  std::vector<Bound> bounds_;
  int in_otherwise_ = 0;  // number of `otherwise` branches around the current value
  std::map<ThreadAxis, const Loop*> bound_;
};

}  // namespace

Result<void> verify(const Program& program) {
  std::vector<Storage> buffers;
  for (const Buffer& buffer : program.buffers) {
    TRY(check_name("buffer", buffer.name));
    TRY(check_layout(buffer));
    if (std::ranges::find(buffers, buffer.name, &Storage::name) != buffers.end())
      return fail("buffer {} is declared twice", buffer.name);
    buffers.push_back({.name = buffer.name,
                       .extents = physical_extents(buffer.layout),
                       .buffer = &buffer,
                       .loops_around = 0,
                       .stored = std::nullopt});
  }
  std::set<std::string_view> names;
  bool every_time = false;
  for (const Kernel& kernel : program.kernels) {
    TRY(check_name("kernel", kernel.name));
    every_time = every_time || !kernel.prepares;
    if (kernel.prepares && every_time)
      return fail("kernel {} runs once, but comes after one that runs every time", kernel.name);
    if (!names.insert(kernel.name).second) return fail("kernel {} is declared twice", kernel.name);
    TRY(KernelVerifier(kernel, buffers).run());
    TRY(check_barriers(kernel));
  }
  return check_intrinsics(program);
}

}  // namespace dovetail
