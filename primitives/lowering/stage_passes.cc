// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/stage_passes.h"

#include <algorithm>

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxTileElements = 4096;
constexpr int64_t kMaxUnrolled = 2048;  // copies of one statement

Result<void> check_on_threads(const Stage& stage) {
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    const StageLoop& loop = stage.loops[l];
    if (loop.kind == LoopKind::bound) {
      return refuse("stage " + stage.name,
                    "loop {} is bound to a device's axis, expected parallel on a cpu target",
                    loop.name);
    }
    if (loop.kind == LoopKind::parallel && l > 0) {
      return refuse(
          "stage " + stage.name,
          "parallel loop {} is inside loop {}, expected the outermost loop; reorder or fuse first",
          loop.name, stage.loops[l - 1].name);
    }
  }
  return {};
}

Result<void> check_along_axis(const std::string& stage, const StageLoop& loop,
                              const Target& target) {
  const auto axis = static_cast<size_t>(loop.thread) - static_cast<size_t>(ThreadAxis::thread_0);
  const int64_t limit = target.max_work_item_sizes[axis];
  if (limit == 0 || loop.extent <= limit) return {};
  return refuse("stage " + stage,
                "loop {} binds {} work-items to {}, the device's limit there is {}", loop.name,
                loop.extent, print(loop.thread), limit);
}

Result<void> check_on_work_groups(const Stage& stage, const Target& target) {
  int64_t work_items = 1;
  bool inside = false;
  for (const StageLoop& loop : stage.loops) {
    if (loop.kind == LoopKind::parallel) {
      return refuse("stage " + stage.name, "loop {} is parallel, expected bind on an opencl target",
                    loop.name);
    }
    if (loop.kind != LoopKind::bound) {
      inside = true;
      continue;
    }
    if (inside)
      return refuse("stage " + stage.name, "bound loop {} is inside an unbound one; reorder first",
                    loop.name);
    if (loop.thread < ThreadAxis::thread_0) continue;
    TRY(check_along_axis(stage.name, loop, target));
    work_items *= loop.extent;
  }
  if (work_items > target.max_work_group_size) {
    return refuse("stage " + stage.name, "{} work-items in a group, the device's limit is {}",
                  work_items, target.max_work_group_size);
  }
  return {};
}

// Lanes of a reduction keep their sums in registers until all reduction loops are done.
Result<void> check_summing_lanes(const Stage& stage, const Target& target) {
  if (stage.loops.empty()) return {};
  const StageLoop& lanes = stage.loops.back();
  if (lanes.kind != LoopKind::vectorized || !lanes.reduction) return {};
  const std::string what = "stage " + stage.name;
  if (!runs_threads(target))
    return refuse(what, "vectorized loop {} is a reduction, expected a cpu target", lanes.name);
  const size_t at = stage.cache_write_at ? tile_position(stage) : stage.loops.size();
  for (size_t l = 0; l < std::min(at, stage.loops.size()); ++l)
    if (stage.loops[l].reduction)
      return refuse(what,
                    "vectorized loop {} is a reduction, expected a cache_write around loop {} and "
                    "all other reductions",
                    lanes.name, stage.loops[l].name);
  return {};
}

// Partial sums are finished in the last round, which is known only for loops without a cut tail.
Result<void> check_partial_sums(const Stage& stage) {
  const size_t at = stage.cache_write_at ? tile_position(stage) : 0;
  for (size_t l = 0; l < at; ++l) {
    const StageLoop& loop = stage.loops[l];
    const bool is_cut = std::ranges::any_of(
        stage.bounds, [&](const Bound& bound) { return bound.expr.mentions(loop.name); });
    if (!loop.reduction || !is_cut) continue;
    return refuse("stage " + stage.name,
                  "partial sums outside {}, whose loop {} was cut where its factor does not divide "
                  "it; expected cache_write around it",
                  *stage.cache_write_at, loop.name);
  }
  return {};
}

Result<void> check_sizes(const Stage& stage) {
  if (!stage.computation.tables.empty()) return {};  // most of the copies have no code
  int64_t unrolled = 1, tile = 1;
  bool is_tensorized = false;
  const size_t at = tile_position(stage);
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    const StageLoop& loop = stage.loops[l];
    // One instruction, or what an emitter without it limits itself.
    is_tensorized = is_tensorized || !loop.intrinsic.empty();
    if (loop.kind == LoopKind::unrolled && !is_tensorized) unrolled *= loop.extent;
    const bool has_axis = !loop.reduction && loop.gathers < 0;
    if (l >= at && has_axis && stage.cache_write_at) tile *= loop.extent;
    if (unrolled > kMaxUnrolled)
      return refuse("stage " + stage.name, "unrolls a statement more than {} times", kMaxUnrolled);
    if (tile > kMaxTileElements) {
      return refuse("stage " + stage.name, "register tile of more than {} elements",
                    kMaxTileElements);
    }
  }
  return {};
}

Result<void> check_prefetched_loops(const Stage& stage) {
  for (const StagePrefetch& prefetch : stage.prefetches)
    for (const std::string& loop : {prefetch.loop, prefetch.of})
      if (!loop.empty() &&
          std::ranges::find(stage.loops, loop, &StageLoop::name) == stage.loops.end())
        return refuse("stage " + stage.name,
                      "prefetch at loop {}, which a later primitive replaced; do it last", loop);
  return {};
}

// Checks that streaming stores and prefetches have a CPU target and suit the final loops.
Result<void> check_cache_hints(const Stage& stage, const Target& target) {
  const std::string what = "stage " + stage.name;
  if (!runs_threads(target) && (stage.streaming_stores || !stage.prefetches.empty()))
    return refuse(what, "{} on an opencl target, expected a cpu target",
                  stage.streaming_stores ? "streaming stores" : "prefetch");
  for (const StagePrefetch& prefetch : stage.prefetches)
    if (std::ranges::find(stage.loops, prefetch.loop, &StageLoop::name)->kind ==
        LoopKind::vectorized)
      return refuse(what, "prefetch at the vectorized loop {}, expected one around it",
                    prefetch.loop);
  if (!stage.streaming_stores) return {};
  if (stage.attachment)
    return refuse(what, "streaming stores, but its part is read at once inside {}",
                  stage.attachment->stage);
  if (stage.loops.empty())
    return refuse(what, "streaming stores need whole vectors of {} lanes, found no loop",
                  vector_lanes(target));
  const StageLoop& inner = stage.loops.back();
  if (inner.kind != LoopKind::vectorized || inner.extent % vector_lanes(target) != 0)
    return refuse(
        what, "streaming stores need whole vectors of {} lanes, found {} iterations of loop {}{}",
        vector_lanes(target), inner.extent, inner.name,
        inner.kind == LoopKind::vectorized ? "" : ", not vectorized");
  const size_t at = tile_position(stage);
  for (size_t l = 0; l < at; ++l)
    if (stage.loops[l].reduction)
      return refuse(what, "streaming stores of partial sums, which loop {} outside {} reads again",
                    stage.loops[l].name, *stage.cache_write_at);
  return {};
}

}  // namespace

Result<Stage> drop_unit_loops(const Stage& stage) {
  IndexValues zero;
  Stage result = stage;
  result.loops.clear();
  std::string outer = "root";  // innermost loop kept so far
  if (stage.cache_write_at && *stage.cache_write_at != "root") {
    if (std::ranges::find(stage.loops, *stage.cache_write_at, &StageLoop::name) ==
        stage.loops.end()) {
      return refuse("stage " + stage.name,
                    "cache_write at loop {}, which a later primitive replaced; do it last",
                    *stage.cache_write_at);
    }
  }
  TRY(check_prefetched_loops(stage));
  const auto has_one = [&](const std::string& loop) {
    return !loop.empty() && std::ranges::find(stage.loops, loop, &StageLoop::name)->extent == 1;
  };
  std::erase_if(result.prefetches, [&](const StagePrefetch& prefetch) {
    return has_one(prefetch.loop) || has_one(prefetch.of);
  });
  for (const StageLoop& loop : stage.loops) {
    if (loop.extent == 1) {
      zero.emplace(loop.name, IndexExpr(0));
    } else {
      result.loops.push_back(loop);
      outer = loop.name;
    }
    if (stage.cache_write_at == loop.name) result.cache_write_at = outer;
  }
  if (result.attachment) {
    for (const StageLoop& loop : result.attachment->around)
      if (loop.extent == 1) zero.emplace(loop.name, IndexExpr(0));
    std::erase_if(result.attachment->around,
                  [](const StageLoop& loop) { return loop.extent == 1; });
  }
  return with_values(std::move(result), zero);
}

Result<Stage> check_annotations(const Stage& stage, const Target& target) {
  const std::string what = "stage " + stage.name;
  for (size_t l = 0; l + 1 < stage.loops.size(); ++l) {
    if (stage.loops[l].kind == LoopKind::vectorized) {
      return refuse(
          what, "vectorized loop {} is outside loop {}, expected the innermost loop; reorder first",
          stage.loops[l].name, stage.loops.back().name);
    }
  }
  if (stage.attachment) {
    // Its loops were checked when it was attached; those around it are another stage's.
  } else if (runs_threads(target)) {
    TRY(check_on_threads(stage));
  } else {
    TRY(check_on_work_groups(stage, target));
  }
  TRY(check_summing_lanes(stage, target));
  TRY(check_partial_sums(stage));
  TRY(check_sizes(stage));
  TRY(check_cache_hints(stage, target));
  const size_t at = tile_position(stage);
  const bool reduces = std::ranges::any_of(stage.loops, &StageLoop::reduction);
  if (reduces && at == stage.loops.size() && stage.loops.back().kind == LoopKind::vectorized) {
    return refuse(
        what,
        "cache_write at the vectorized loop {} leaves one lane a tile, expected a loop around it",
        stage.loops.back().name);
  }
  for (size_t l = at; l < stage.loops.size(); ++l) {
    if (stage.loops[l].kind == LoopKind::parallel || stage.loops[l].kind == LoopKind::bound) {
      return refuse(what, "loop {} cannot be shared inside the tile that is accumulated at {}",
                    stage.loops[l].name, stage.cache_write_at.value_or("the first reduction"));
    }
  }
  return stage;
}

size_t tile_position(const Stage& stage) {
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    if (stage.cache_write_at) {
      if (*stage.cache_write_at == "root") return 0;
      if (stage.loops[l].name == *stage.cache_write_at) return l + 1;
    } else if (stage.loops[l].reduction) {
      return l;
    }
  }
  return stage.loops.size();
}

}  // namespace dovetail
