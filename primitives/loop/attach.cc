// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/attach.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/ir/index/bounded_range.h"
#include "primitives/initial_loops.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/nest/access.h"
#include "primitives/lowering/nest/attached_stages.h"
#include "primitives/lowering/stage_passes.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxPrivateBytes = 64 << 10;    // beyond, no cache near a core holds it
constexpr int64_t kMaxWorkspaceBytes = 64 << 20;  // beyond, no cache at all does
constexpr int64_t kMaxWorkspacesBytes = 1 << 30;  // all iterations that run at the same time

// Attaches one stage; see attach().
class Attaching {
 public:
  Attaching(const std::string& what, const Stage& stage, const Schedule& schedule,
            const Target& target)
      : what_(what), result_(stage), schedule_(schedule), target_(target) {}

  Result<Stage> run() {
    TRY(find_readers());
    TRY(find_place());
    TRY(check_readers_inside());
    TRY(check_shared_loops());
    TRY(check_copies());
    TRY(check_workspace());
    collect_around();
    TRY(find_part());
    TRY(check_size());
    return with_output_loops(result_, tensor_named(schedule_.tensors, output()).layout);
  }

 private:
  const std::string& output() const { return result_.computation.output.tensor; }
  bool is_local() const { return result_.attachment->scope == TileScope::local; }

  // Finds the host, and all readers of the part: the host or stages inside it.
  Result<void> find_readers() {
    for (const Stage& stage : schedule_.stages)
      if (reads_tensor(stage.computation.reads, output())) readers_.push_back(&stage);
    host_ = find_stage(schedule_.stages, result_.attachment->stage);
    if (readers_.empty()) return refuse(what_, "no stage reads what stage {} makes", result_.name);
    if (host_ == nullptr)
      return refuse(what_, "no stage {}, expected one of {}", result_.attachment->stage,
                    one_of(schedule_.stages, &Stage::name));
    for (const Stage* reader : readers_) {
      if (reader == host_ || child_of_host(*reader) != nullptr) continue;
      return refuse(what_, "{} is read by {}, expected all of them to be {} or to run inside it",
                    output(), one_of(readers_, &Stage::name), result_.attachment->stage);
    }
    return {};
  }

  // The stage attached to the host itself that is or encloses `stage`; null: it runs elsewhere.
  const Stage* child_of_host(const Stage& stage) const {
    const Stage* child = &stage;
    while (child->attachment && child->attachment->stage != host_->name) {
      child = find_stage(schedule_.stages, child->attachment->stage);
      CHECK(child != nullptr, "a stage is attached to a stage");
    }
    return child->attachment ? child : nullptr;
  }

  // Finds the number of the host's loops that are around the part. A loop of one iteration stands
  // for the one around it.
  Result<void> find_place() {
    size_t index = TRY(require_loop(what_, result_.attachment->loop, *host_));
    while (index > 0 && host_->loops[index].extent == 1) --index;
    const StageLoop& loop = host_->loops[index];
    if (loop.kind == LoopKind::vectorized || loop.kind == LoopKind::unrolled) {
      return refuse(what_, "loop {} of {} is {}, expected one that stays a loop", loop.name,
                    host_->name, loop.kind == LoopKind::vectorized ? "vectorized" : "unrolled");
    }
    const size_t tile = tile_position(*host_);
    const bool sums = std::ranges::any_of(host_->loops, &StageLoop::reduction);
    if (sums && index >= tile && !loop.reduction) {
      return refuse(
          what_,
          "loop {} of {} is inside the tile that it sums up, expected one around it or a reduction",
          loop.name, host_->name);
    }
    if (sums && index >= tile && reads_tensor(result_reads(host_->computation), output())) {
      return refuse(what_, "{} reads {} when its sum is done, expected a loop around that sum",
                    host_->name, output());
    }
    place_ = index + 1;
    if (!is_local()) return {};
    if (!runs_work_groups(target_))
      return refuse(what_, "a cpu target has no local memory, expected scope private");
    for (size_t l = place_; l < host_->loops.size(); ++l)
      if (is_shared(host_->loops[l])) place_ = l + 1;
    return {};
  }

  // A reader inside the host must run inside the loop in which the part is computed.
  Result<void> check_readers_inside() const {
    for (const Stage* reader : readers_) {
      if (reader == host_) continue;
      const Attachment& own = *reader->attachment;
      if (own.copies > 1)
        return refuse(what_, "{} reads {} a round ahead, expected a kernel of its own",
                      reader->name, output());
      const Stage& child = *child_of_host(*reader);
      const StageLoop& around = host_->loops[place_ - 1];
      if (attached_position(child, *host_) < place_)
        return refuse(what_, "{} reads {} outside loop {} of {}, expected inside", reader->name,
                      output(), around.name, host_->name);
      if (child.attachment->ring && rolled_loop(child).name == host_->name + "." + around.name)
        return refuse(what_,
                      "{} rolls, and reads {} before loop {} of {} begins, expected a loop of {}",
                      child.name, output(), around.name, host_->name, child.name);
    }
    return {};
  }

  // A kernel that runs at build time has no workspace.
  Result<void> check_workspace() const {
    if (result_.attachment->scope != TileScope::workspace) return {};
    if (result_.attachment->copies > 1)
      return refuse(what_, "two copies in turn are private or local, found scope workspace");
    const Stage* root = host_;
    while (root->attachment) root = find_stage(schedule_.stages, root->attachment->stage);
    if (!root->prepares) return {};
    return refuse(
        what_, "{} runs once, at build time, where there is no workspace; expected scope private",
        root->name);
  }

  Result<void> check_shared_loops() const {
    for (size_t l = place_; l < host_->loops.size(); ++l) {
      const StageLoop& loop = host_->loops[l];
      if (is_shared(loop))
        return refuse(what_,
                      "loop {} of {} is shared by threads inside loop {}, expected around it",
                      loop.name, host_->name, result_.attachment->loop);
    }
    return {};
  }

  Result<void> check_copies() const {
    const int64_t copies = result_.attachment->copies, behind = result_.attachment->behind;
    if (copies == 1) return {};
    const StageLoop& loop = host_->loops[place_ - 1];
    const bool is_cut = std::ranges::any_of(
        host_->bounds, [&](const Bound& bound) { return bound.expr.mentions(loop.name); });
    const bool has_rounds =
        loop.kind == LoopKind::serial && loop.extent > 1 && loop.gathers < 0 && !is_cut;
    if (!has_rounds)
      return refuse(what_,
                    "loop {} of {} has no rounds that follow each other, which {} copies need",
                    loop.name, host_->name, copies);
    if (loop.extent < copies)
      return refuse(what_, "loop {} of {} has {} rounds, expected {} for as many copies", loop.name,
                    host_->name, loop.extent, copies);
    for (const Stage& other : schedule_.stages) {
      if (!other.attachment || other.attachment->stage != host_->name) continue;
      const int64_t others = other.attachment->copies;
      if (others > 1 && others != copies && attached_position(other, *host_) == place_)
        return refuse(what_, "{} copies, expected {} as {} has in loop {}", copies, others,
                      other.name, loop.name);
      if (others > 1 && other.attachment->behind != behind &&
          attached_position(other, *host_) == place_)
        return refuse(what_, "{} copies behind, expected {} as {} has in loop {}", behind,
                      other.attachment->behind, other.name, loop.name);
    }
    return {};
  }

  void collect_around() {
    Attachment& a = *result_.attachment;
    if (host_->attachment) a.around = host_->attachment->around;
    for (const StageLoop& loop : a.around) fix(loop, loop.name);
    for (size_t l = 0; l < place_; ++l) {
      StageLoop loop = host_->loops[l];
      const std::string name = loop.name;
      loop.name = host_->name + "." + name;
      fix(loop, name);
      a.around.push_back(std::move(loop));
    }
  }

  // Loop `name` of the host is fixed while the part is computed, unless work-items share the part.
  void fix(const StageLoop& loop, const std::string& name) {
    if (is_local() && is_over_work_items(loop)) return;
    fixed_.emplace(name, IndexExpr::variable(loop.name));
  }

  struct Box {
    std::vector<IndexExpr> starts;  // terms of the loops around
    std::vector<Range> inside;
  };

  // Loops around the part, by their names in the reader, with their values.
  IndexValues fixed_in(const Stage& reader) const {
    if (&reader == host_) return fixed_;
    IndexValues result;
    for (const auto& [name, value] : fixed_) result.emplace(value.terms()[0].atom.variable, value);
    return result;
  }

  std::vector<std::pair<const Stage*, const Access*>> reads_of_output() const {
    std::vector<std::pair<const Stage*, const Access*>> result;
    for (const Stage* reader : readers_) {
      for (const Access& access : reader->computation.reads)
        if (access.tensor == output()) result.emplace_back(reader, &access);
    }
    return result;
  }

  Result<Box> box_of(const Access& access, const Stage& reader) const {
    const RewrittenAccess read =
        TRY(rewrite_access(access, tensor_named(schedule_.tensors, access.tensor), reader));
    const Ranges ranges = loop_ranges(reader);
    const auto fixed_here = fixed_in(reader);
    Box box;
    for (size_t axis = 0; axis < read.indices.size(); ++axis) {
      std::vector<IndexTerm> start, inside;
      for (const IndexTerm& term : read.indices[axis].terms()) {
        const std::vector<std::string> names = IndexExpr::of({term}, 0).variables();
        const auto fixed = std::ranges::count_if(
            names, [&](const std::string& name) { return fixed_here.contains(name); });
        if (fixed != 0 && fixed != static_cast<int64_t>(names.size())) {
          return refuse(what_,
                        "index {} of {} mixes loops around and inside, so that the part is no box",
                        print(read.indices[axis]), access.tensor);
        }
        (fixed == 0 ? inside : start).push_back(term);
      }
      const IndexExpr moving = IndexExpr::of(std::move(inside), read.indices[axis].constant());
      box.inside.push_back(
          bounded_range(moving, ranges, reader.bounds).value_or(range_of(moving, ranges)));
      box.starts.push_back(
          substitute(IndexExpr::of(std::move(start), 0), fixed_here, loop_ranges(result_)));
    }
    return box;
  }

  Result<void> find_part() {
    std::optional<Box> all;
    for (const auto& [reader, access] : reads_of_output()) {
      Box box = TRY(box_of(*access, *reader));
      if (!all) all = box;
      if (all->starts != box.starts)
        return refuse(what_, "{} is read at places that move apart, so that the part is no box",
                      output());
      for (size_t axis = 0; axis < box.inside.size(); ++axis) {
        Range& inside = all->inside[axis];
        inside = {std::min(inside.min, box.inside[axis].min),
                  std::max(inside.max, box.inside[axis].max)};
      }
    }
    for (size_t axis = 0; axis < all->inside.size(); ++axis) {
      const Range& inside = all->inside[axis];
      result_.attachment->starts.push_back(all->starts[axis] + IndexExpr(inside.min));
      result_.attachment->extents.push_back(inside.max - inside.min + 1);
    }
    return {};
  }

  int64_t limit() const {
    if (is_local()) return target_.local_memory_bytes;
    return result_.attachment->scope == TileScope::workspace ? kMaxWorkspaceBytes
                                                             : kMaxPrivateBytes;
  }

  Result<void> check_size() const {
    const Attachment& a = *result_.attachment;
    std::vector<int64_t> extents = a.extents;
    if (!extents.empty()) extents.back() += a.row_pad;
    const ElementType stored = tensor_named(result_.computation, output()).type;
    int64_t bytes = dovetail::bytes_of(type_in_tile(stored, a.scope));
    bytes *= a.copies;
    bytes = bytes_of(bytes, extents);
    if (bytes > limit())
      return refuse(what_,
                    "the part of {} has {} bytes, {} memory holds {}; choose a loop further inside",
                    output(), bytes, print(a.scope), limit());
    if (a.scope != TileScope::workspace) return {};
    for (const StageLoop& loop : a.around)
      bytes = bytes_of(bytes, {is_shared(loop) ? loop.extent : 1});
    if (bytes <= kMaxWorkspacesBytes) return {};
    return refuse(what_,
                  "the parts of {} for all iterations that may run at the same time have {} bytes, "
                  "expected at most {}; choose fewer of them",
                  output(), bytes, kMaxWorkspacesBytes);
  }

  static int64_t bytes_of(int64_t bytes, const std::vector<int64_t>& extents) {
    for (const int64_t extent : extents)
      if (__builtin_mul_overflow(bytes, extent, &bytes)) bytes = INT64_MAX;
    return bytes;
  }

  const std::string& what_;
  Stage result_;
  const Schedule& schedule_;
  const Target& target_;
  const Stage* host_ = nullptr;
  std::vector<const Stage*> readers_;
  size_t place_ = 0;
  IndexValues fixed_;  // by the loop's name in the host
};

}  // namespace

Result<Stage> attach(const std::string& what, const Stage& stage, const Schedule& schedule,
                     const Target& target) {
  return Attaching(what, stage, schedule, target).run();
}

Result<Schedule> apply(const loop::ComputeAt& compute_at, const Schedule& schedule,
                       const std::string& stage, const Target& target) {
  const std::string what = print(LoopPrimitive(compute_at));
  Schedule result = schedule;
  const auto moved = std::ranges::find(result.stages, stage, &Stage::name);
  CHECK(moved != result.stages.end(), "there is a stage " + stage);
  if (moved->attachment)
    return refuse(what, "stage {} runs inside {} already", stage, moved->attachment->stage);
  if (compute_at.scope == TileScope::registers)
    return refuse(
        what, "registers hold no part that other loops read, expected private, local or workspace");
  const auto copies_it = [&](const Stage& reader) {
    return reader.role == StageRole::copy && reader.attachment &&
           reader.attachment->scope == TileScope::local &&
           reads_tensor(reader.computation.reads, moved->computation.output.tensor);
  };
  if (compute_at.scope == TileScope::local && std::ranges::any_of(schedule.stages, copies_it))
    return refuse(what, "{} is copied to local memory, expected no copy of what is made there",
                  moved->computation.output.tensor);
  moved->attachment =
      Attachment{compute_at.stage, compute_at.loop, compute_at.scope, 1, {}, {}, {}};
  *moved = TRY(attach(what, *moved, schedule, target));
  const auto tensor =
      std::ranges::find(result.tensors, moved->computation.output.tensor, &ScheduledTensor::name);
  CHECK(tensor != result.tensors.end(), "the stage's tensor has a layout");
  tensor->layout.scope = MemoryScope::global;  // no image: a tile
  return result;
}

}  // namespace dovetail
