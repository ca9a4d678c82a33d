// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "primitives/lowering/attached_stages.h"
#include "primitives/lowering/build_nest.h"
#include "primitives/lowering/cache_hints.h"
#include "primitives/lowering/clip_loops.h"
#include "primitives/lowering/peel_bounds.h"
#include "primitives/lowering/peel_tiles.h"
#include "primitives/lowering/simplify_bounds.h"

namespace dovetail {
namespace {

struct ProgramPass {
  const char* name;
  Program (*run)(const Program&);
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

// f16 accumulates in f32: a sum may not wait in f16 storage between rounds of a loop.
Result<void> check_sums_are_wide(const Stage& stage, DataType dtype) {
  if (dtype == DataType::f32) return {};
  const size_t at = stage.cache_write_at ? tile_position(stage) : 0;
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    if (!stage.loops[l].reduction || (stage.cache_write_at && l >= at)) continue;
    return fail(fmt::format(
        "stage {}: the sum over {} waits in f16 storage of {} and would be rounded every time; "
        "expected cache_write outside of all its reduction loops",
        stage.name, stage.loops[l].name, stage.computation.output.tensor));
  }
  return {};
}

std::string kernel_name(const Stage& stage) {
  if (!stage.name.ends_with(".pad")) return stage.name;
  return "pad_" + stage.name.substr(0, stage.name.size() - 4);
}

bool is_tile(const ScheduledTensor& tensor, const Schedule& schedule) {
  return std::ranges::any_of(schedule.stages, [&](const Stage& stage) {
    return stage.attachment && stage.computation.output.tensor == tensor.name;
  });
}

}  // namespace

Result<Program> lower(const Schedule& schedule, const Target& target) {
  Program program;
  for (const ScheduledTensor& tensor : schedule.tensors) {
    if (is_tile(tensor, schedule)) continue;
    program.buffers.push_back(
        {tensor.name, tensor.tensor, schedule.dtype, tensor.role, tensor.layout});
  }
  for (const Stage& root : schedule.stages) {
    if (root.attachment) continue;
    const std::vector<Stage> stages = TRY(kernel_stages(schedule, root, target));
    TRY(check_sums_are_wide(stages[0], schedule.dtype));
    const std::span<const Stage> attached = std::span(stages).subspan(1);
    Block nest = TRY(build_nest(stages[0], schedule.tensors, attached));
    nest = with_cache_hints(std::move(nest), stages[0], schedule.tensors);
    program.kernels.push_back({kernel_name(root), std::move(nest)});
  }
  check_verified(program, "build_nest");
  for (const ProgramPass& pass : kProgramPasses) {
    program = pass.run(program);
    check_verified(program, pass.name);
  }
  return program;
}

}  // namespace dovetail
