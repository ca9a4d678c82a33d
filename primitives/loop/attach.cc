// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/attach.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "core/base/check.h"
#include "primitives/loop/apply_loop.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/loop/output_loops.h"
#include "primitives/lowering/access.h"
#include "primitives/lowering/attached_stages.h"
#include "primitives/lowering/build_nest.h"
#include "primitives/lowering/stage_passes.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxPrivateBytes = 64 << 10;  // beyond, no cache near a core holds it

bool is_shared(const StageLoop& loop) {
  return loop.extent > 1 && (loop.kind == LoopKind::parallel || loop.kind == LoopKind::bound);
}

int64_t product(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

const ScheduledTensor& tensor_of(const Schedule& schedule, const std::string& name) {
  const auto tensor = std::ranges::find(schedule.tensors, name, &ScheduledTensor::name);
  CHECK(tensor != schedule.tensors.end(), "tensor " + name + " has a layout");
  return *tensor;
}

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
    TRY(check_doubled());
    collect_around();
    TRY(find_part());
    TRY(check_size());
    const Layout& layout = tensor_of(schedule_, output()).layout;
    return with_output_loops(result_, layout);
  }

 private:
  template <typename... Args>
  Unexpected refuse(fmt::format_string<Args...> text, Args&&... args) const {
    return fail(what_ + ": " + fmt::format(text, std::forward<Args>(args)...));
  }

  const std::string& output() const { return result_.computation.output.tensor; }
  bool is_local() const { return result_.attachment->scope == TileScope::local; }

  // The stage that is named, and every stage that reads the part: that one or others inside it.
  Result<void> find_readers() {
    std::string known, all;
    for (const Stage& stage : schedule_.stages) {
      all += (all.empty() ? "" : ", ") + stage.name;
      if (stage.name == result_.attachment->stage) host_ = &stage;
      if (!reads_tensor(stage.computation.reads, output())) continue;
      known += (known.empty() ? "" : ", ") + stage.name;
      readers_.push_back(&stage);
    }
    if (readers_.empty()) return refuse("no stage reads what stage {} makes", result_.name);
    if (host_ == nullptr)
      return refuse("no stage {}, expected one of {}", result_.attachment->stage, all);
    for (const Stage* reader : readers_) {
      if ((reader == host_ || child_of_host(*reader) != nullptr)) continue;
      return refuse("{} is read by {}, expected all of them to be {} or to run inside it", output(),
                    known, result_.attachment->stage);
    }
    return {};
  }

  // The stage attached to the host itself that `stage` is, or is inside; null: it runs elsewhere.
  const Stage* child_of_host(const Stage& stage) const {
    const Stage* child = &stage;
    while (child->attachment && child->attachment->stage != host_->name) {
      const auto outer =
          std::ranges::find(schedule_.stages, child->attachment->stage, &Stage::name);
      CHECK(outer != schedule_.stages.end(), "a stage is attached to a stage");
      child = &*outer;
    }
    return child->attachment ? child : nullptr;
  }

  // Number of the host's loops that are around. One of a single iteration stands for the one
  // around it.
  Result<void> find_place() {
    size_t index = TRY(require_loop(what_, result_.attachment->loop, *host_));
    while (index > 0 && host_->loops[index].extent == 1) --index;
    const StageLoop& loop = host_->loops[index];
    if (loop.kind == LoopKind::vectorized || loop.kind == LoopKind::unrolled) {
      return refuse("loop {} of {} is {}, expected one that stays a loop", loop.name, host_->name,
                    loop.kind == LoopKind::vectorized ? "vectorized" : "unrolled");
    }
    const size_t tile = tile_position(*host_);
    const bool sums = std::ranges::any_of(host_->loops, &StageLoop::reduction);
    if (sums && index >= tile && !loop.reduction) {
      return refuse(
          "loop {} of {} is inside the tile that it sums up, expected one around it or a "
          "reduction",
          loop.name, host_->name);
    }
    if (sums && index >= tile && reads_tensor(result_reads(host_->computation), output())) {
      return refuse("{} reads {} when its sum is done, expected a loop around that sum",
                    host_->name, output());
    }
    place_ = index + 1;
    if (!is_local()) return {};
    if (target_.name.kind != TargetKind::opencl)
      return refuse("a cpu target has no local memory, expected scope private");
    for (size_t l = place_; l < host_->loops.size(); ++l) {
      if (is_shared(host_->loops[l])) place_ = l + 1;
    }
    return {};
  }

  // A reader that runs inside the host does so inside the loop that the part is made in.
  Result<void> check_readers_inside() const {
    for (const Stage* reader : readers_) {
      if (reader == host_) continue;
      const Attachment& own = *reader->attachment;
      if (own.doubled || (own.scope == TileScope::local && !is_local()))
        return refuse("{} reads {} {}, expected a kernel of its own", reader->name, output(),
                      own.doubled ? "a round ahead" : "for all work-items");
      if (attached_position(*child_of_host(*reader), *host_) >= place_) continue;
      return refuse("{} reads {} outside loop {} of {}, expected inside", reader->name, output(),
                    host_->loops[place_ - 1].name, host_->name);
    }
    return {};
  }

  Result<void> check_shared_loops() const {
    for (size_t l = place_; l < host_->loops.size(); ++l) {
      const StageLoop& loop = host_->loops[l];
      if (is_shared(loop))
        return refuse("loop {} of {} is shared by threads inside loop {}, expected around it",
                      loop.name, host_->name, result_.attachment->loop);
    }
    return {};
  }

  Result<void> check_doubled() const {
    const StageLoop& loop = host_->loops[place_ - 1];
    if (!result_.attachment->doubled || (loop.kind == LoopKind::serial && loop.extent > 1))
      return {};
    return refuse("loop {} of {} has no rounds that follow each other, which two copies need",
                  loop.name, host_->name);
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

  // Loop `name` of the host has one value while the part is made, unless its work-items share it.
  void fix(const StageLoop& loop, const std::string& name) {
    if (is_local() && is_over_work_items(loop)) return;
    fixed_.emplace(name, IndexExpr::variable(loop.name));
  }

  struct Box {
    std::vector<IndexExpr> starts;  // without what the loops inside add
    std::vector<Range> inside;
  };

  // By its name in the reader, a loop around the part; its value there.
  std::map<std::string, IndexExpr, std::less<>> fixed_in(const Stage& reader) const {
    if (&reader == host_) return fixed_;
    std::map<std::string, IndexExpr, std::less<>> result;
    for (const auto& [name, value] : fixed_) result.emplace(value.terms()[0].atom.variable, value);
    return result;
  }

  std::vector<std::pair<const Stage*, const Access*>> reads_of_output() const {
    std::vector<std::pair<const Stage*, const Access*>> result;
    for (const Stage* reader : readers_) {
      for (const Access& access : reader->computation.reads) {
        if (access.tensor == output()) result.emplace_back(reader, &access);
      }
    }
    return result;
  }

  Result<Box> box_of(const Access& access, const Stage& reader) const {
    const RewrittenAccess read =
        TRY(rewrite_access(access, tensor_of(schedule_, access.tensor), reader));
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
          return refuse("index {} of {} mixes loops around and inside, so that the part is no box",
                        print(read.indices[axis]), access.tensor);
        }
        (fixed == 0 ? inside : start).push_back(term);
      }
      box.inside.push_back(
          range_of(IndexExpr::of(std::move(inside), read.indices[axis].constant()), ranges));
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
        return refuse("{} is read at places that move apart, so that the part is no box", output());
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

  Result<void> check_size() const {
    const int64_t limit = is_local() ? target_.local_memory_bytes : kMaxPrivateBytes;
    int64_t bytes = result_.attachment->doubled ? 8 : 4;
    for (const int64_t extent : result_.attachment->extents) {
      if (__builtin_mul_overflow(bytes, extent, &bytes)) bytes = INT64_MAX;
    }
    if (bytes <= limit) return {};
    return refuse("the part of {} has {} bytes, {} memory holds {}; choose a loop further inside",
                  output(), bytes, is_local() ? "local" : "private", limit);
  }

  const std::string& what_;
  Stage result_;
  const Schedule& schedule_;
  const Target& target_;
  const Stage* host_ = nullptr;
  std::vector<const Stage*> readers_;
  size_t place_ = 0;
  std::map<std::string, IndexExpr, std::less<>> fixed_;  // by the host's name of the loop
};

// The innermost axis in vectors as wide as the target's, if they divide it.
Stage vectorized_innermost(const Stage& stage, int64_t lanes) {
  const StageLoop inner = stage.loops.back();
  if (inner.extent % lanes != 0 || lanes == 1 || inner.reduction) return stage;
  std::vector<LoopPrimitive> lines;
  if (lanes < inner.extent) lines.emplace_back(loop::Split{inner.name, lanes});
  lines.emplace_back(loop::Vectorize{inner.name + (lanes < inner.extent ? ".1" : "")});
  Result<Stage> result = apply_all(StageLoops{stage.name, lines}, stage);
  CHECK(result.has_value(), "default loops of an attached stage are legal");
  return std::move(*result);
}

// All elements of the part in one loop, which the work-items share, and one over lanes.
Stage shared_evenly(const Stage& stage, const Layout& layout, int64_t lanes) {
  const std::vector<int64_t>& extents = stage.attachment->extents;
  int64_t items = 1;
  for (const StageLoop& loop : stage.attachment->around)
    items *= is_over_work_items(loop) ? loop.extent : 1;
  const int64_t units = product(extents) / lanes;
  const int64_t shared = (units + items - 1) / items * items;
  Stage result = stage;
  result.attachment->flat_elements = shared * lanes;
  result.loops = {{.name = kSharedLoop, .extent = shared}};
  if (lanes > 1)
    result.loops.push_back({.name = "lane", .extent = lanes, .kind = LoopKind::vectorized});
  const Ranges ranges = loop_ranges(result);
  const IndexExpr unit = IndexExpr::variable(kSharedLoop),
                  lane = lanes > 1 ? IndexExpr::variable("lane") : IndexExpr(0);
  std::vector<IndexExpr> physical(extents.size());
  int64_t below = 1;
  for (size_t axis = extents.size(); axis-- > 0;) {
    const bool innermost = axis + 1 == extents.size();
    const int64_t extent = innermost ? extents[axis] / lanes : extents[axis];
    const IndexExpr digit = floor_mod(floor_div(unit, below, ranges), extent, ranges);
    physical[axis] = stage.attachment->starts[axis] + (innermost ? digit * lanes + lane : digit);
    below *= extent;
  }
  set_output_axes(physical, layout, result);
  result.output_indices = {unit * lanes + lane};
  return result;
}

}  // namespace

Result<Stage> attach(const std::string& what, const Stage& stage, const Schedule& schedule,
                     const Target& target) {
  return Attaching(what, stage, schedule, target).run();
}

Stage attached_by_default(const Stage& stage, const Schedule& schedule, const Target& target) {
  const bool is_local = stage.attachment->scope == TileScope::local;
  const bool sums = std::ranges::any_of(stage.loops, &StageLoop::reduction);
  const Layout& layout = tensor_of(schedule, stage.computation.output.tensor).layout;
  const int64_t last = stage.attachment->extents.empty() ? 1 : stage.attachment->extents.back();
  for (const int64_t width : {int64_t{target.vector_lanes}, int64_t{4}, int64_t{1}}) {
    if (last % width != 0) continue;
    const Stage result = is_local && !sums ? shared_evenly(stage, layout, width)
                                           : vectorized_innermost(stage, width);
    if (width == 1 || check_nest(result, schedule.tensors)) return result;
  }
  CHECK(false, "unreachable");
}

Result<void> check_attached_loops(const Stage& stage) {
  const Attachment& a = *stage.attachment;
  for (const StageLoop& loop : stage.loops) {
    if (loop.kind == LoopKind::parallel)
      return fail(
          fmt::format("loops {0}: loop {1} is parallel, but stage {0} runs inside loop {2} "
                      "of {3}",
                      stage.name, loop.name, a.loop, a.stage));
    if (loop.kind != LoopKind::bound) continue;
    const auto around = std::ranges::find_if(a.around, [&](const StageLoop& l) {
      return l.kind == LoopKind::bound && l.thread == loop.thread && is_over_work_items(l);
    });
    if (a.scope != TileScope::local || around == a.around.end())
      return fail(fmt::format("loops {}: loop {} is bound to {}, which does not share this tile",
                              stage.name, loop.name, print(loop.thread)));
    if (around->extent != loop.extent)
      return fail(fmt::format("loops {}: loop {} of {} iterations is bound to {}, which has {}",
                              stage.name, loop.name, loop.extent, print(loop.thread),
                              around->extent));
  }
  if (a.scope != TileScope::local || a.flat_elements > 0) return {};
  for (const StageLoop& around : a.around) {
    if (!is_over_work_items(around) || around.extent == 1) continue;
    const bool bound = std::ranges::any_of(stage.loops, [&](const StageLoop& loop) {
      return loop.kind == LoopKind::bound && loop.thread == around.thread;
    });
    if (!bound)
      return fail(
          fmt::format("loops {}: no loop is bound to {}, whose {} work-items would all copy "
                      "the same",
                      stage.name, print(around.thread), around.extent));
  }
  return {};
}

}  // namespace dovetail
