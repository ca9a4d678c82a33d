// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/lower.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/ir/intrinsic/match.h"
#include "primitives/layout/apply_layout.h"
#include "primitives/loop/caching.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/nest/attached_stages.h"
#include "primitives/lowering/nest/build_nest.h"
#include "primitives/lowering/nest/cropped_stores.h"
#include "primitives/lowering/passes/bounds.h"
#include "primitives/lowering/passes/cache_hints.h"
#include "primitives/lowering/passes/cut_tails.h"
#include "primitives/lowering/passes/peel_loops.h"
#include "primitives/lowering/passes/small_kernels.h"
#include "primitives/lowering/passes/transpose_tile_lanes.h"
#include "primitives/lowering/stage_passes.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

struct ProgramPass {
  const char* name;
  Program (*run)(Program);
};
constexpr ProgramPass kProgramPasses[] = {
    {"simplify_bounds", simplify_bounds},
    {"clip_loops", clip_loops},
    {"peel_bounds", peel_bounds},
    {"peel_tiles", peel_tiles},
};

void check_verified([[maybe_unused]] const Program& program,
                    [[maybe_unused]] const std::string& pass) {
#if DOVETAIL_VERIFY
  const Result<void> verdict = verify(program);
  CHECK(verdict.has_value(),
        "after " + pass + ": " + (verdict ? "" : verdict.error().message) + "\n" + print(program));
#endif
}

// Fails where storage would round a partial sum between the rounds of a loop.
Result<void> check_sums_are_wide(const Stage& stage, ElementType dtype) {
  if (keeps_sums(stage, dtype)) return {};
  const size_t at = stage.cache_write_at ? tile_position(stage) : 0;
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    if (!stage.loops[l].reduction || (stage.cache_write_at && l >= at)) continue;
    return refuse("stage " + stage.name,
                  "the sum over {} waits in {} storage of {} and would be rounded every time; "
                  "expected cache_write outside of all its reduction loops",
                  stage.loops[l].name, name_of(dtype), stage.computation.output.tensor);
  }
  return {};
}

// pad_X computes X.pad, wino_X computes X.wino; conversions between the layouts of trace and border
// are pack_X, from X.given to X, and unpack_Y, from Y to Y.wanted.
std::string kernel_name(const Stage& stage) {
  const std::string& source = stage.computation.reads[0].tensor;
  if (stage.role == StageRole::copy && source == stage.name + ".given") return "pack_" + stage.name;
  const size_t dot = stage.name.rfind('.');
  if (dot == std::string::npos) return stage.name;
  const std::string verb = stage.name.substr(dot + 1);
  return (verb == "wanted" ? "unpack" : verb) + "_" + stage.name.substr(0, dot);
}

std::vector<Buffer> buffers_of(const Schedule& schedule) {
  std::vector<Buffer> buffers;
  for (const ScheduledTensor& tensor : schedule.tensors) {
    const Stage* maker = attached_maker(schedule.stages, tensor.name);
    if (maker == nullptr)
      buffers.push_back({tensor.name, tensor.tensor, tensor.type, tensor.role,
                         tensor.crops ? *cropped(tensor.layout) : tensor.layout});
    else if (maker->attachment->scope == TileScope::workspace)
      buffers.push_back(workspace_buffer(*maker, tensor));
  }
  return buffers;
}

// Prefetches count iterations of the kernel's loops; the rounds of a ring are no such loop.
Result<void> check_not_rolled(const Stage& stage, const std::vector<Stage>& stages) {
  if (!stage.attachment) return {};
  for (const Stage& other : stages) {
    if (!other.attachment || !other.attachment->ring) continue;
    const std::string& rounds = other.attachment->around.back().name;
    const auto& around = stage.attachment->around;
    if (std::ranges::find(around, rounds, &StageLoop::name) == around.end()) continue;
    return refuse("stage " + stage.name, "prefetch inside {}, which rolls; expected none",
                  other.name);
  }
  return {};
}

// A tile that is computed inside the stage is near already and cannot be prefetched.
Result<void> check_prefetches(const std::vector<Stage>& stages) {
  for (const Stage& stage : stages) {
    for (const StagePrefetch& prefetch : stage.prefetches) {
      TRY(check_not_rolled(stage, stages));
      const Stage* maker = attached_maker(stages, prefetch.tensor);
      if (maker == nullptr) continue;
      return refuse(
          "stage " + stage.name,
          "prefetch of {}, a part of which is made inside {}; expected a tensor in a buffer",
          prefetch.tensor, maker->attachment->stage);
    }
  }
  return {};
}

}  // namespace

Result<Program> lower(const Schedule& schedule, const Target& target) {
  Program program;
  program.buffers = buffers_of(schedule);
  for (const Stage& root : schedule.stages) {
    if (root.attachment) continue;
    const std::vector<Stage> stages = TRY(kernel_stages(schedule, root, target));
    const Stage& stage = stages[0];
    TRY(check_prefetches(stages));
    TRY(check_sums_are_wide(stage, buffer_named(program, stage.computation.output.tensor).dtype));
    const std::span<const Stage> attached = std::span(stages).subspan(1);
    Block nest = TRY(build_nest(stage, schedule.tensors, attached));
    for (const Stage& hinting : stages)
      nest = with_cache_hints(std::move(nest), hinting, schedule.tensors);
    const ScheduledTensor& output = tensor_named(schedule.tensors, stage.computation.output.tensor);
    if (output.crops)
      nest = with_cropped_stores(std::move(nest), output.name,
                                 physical_extents(*cropped(output.layout)));
    nest = TRY(cut_tails(std::move(nest)));
    program.kernels.push_back({kernel_name(root), std::move(nest), root.prepares});
  }
  if (const Result<void> spelled = check_intrinsics(program); !spelled)
    return refuse("tensorize", "{}", spelled.error().message);
  check_verified(program, "build_nest");
  for (const ProgramPass& pass : kProgramPasses) {
    program = pass.run(std::move(program));
    check_verified(program, pass.name);
  }
  program = TRY(transpose_tile_lanes(std::move(program)));
  check_verified(program, "transpose_tile_lanes");
  program = serialize_small_kernels(std::move(program), target);
  check_verified(program, "serialize_small_kernels");
  return program;
}

}  // namespace dovetail
