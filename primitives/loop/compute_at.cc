// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/compute_at.h"

#include <algorithm>

#include "core/base/check.h"
#include "primitives/loop/attach.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Schedule> apply(const loop::ComputeAt& compute_at, const Schedule& schedule,
                       const std::string& stage, const Target& target) {
  const std::string what = print(LoopPrimitive(compute_at));
  Schedule result = schedule;
  const auto moved = std::ranges::find(result.stages, stage, &Stage::name);
  CHECK(moved != result.stages.end(), "there is a stage " + stage);
  if (moved->attachment) {
    return refuse(what, "stage {} runs inside {} already", stage, moved->attachment->stage);
  }
  if (compute_at.scope == TileScope::registers)
    return refuse(
        what, "registers hold no part that other loops read, expected private, local or workspace");
  moved->attachment = Attachment{};
  moved->attachment->stage = compute_at.stage;
  moved->attachment->loop = compute_at.loop;
  moved->attachment->scope = compute_at.scope;
  *moved = TRY(attach(what, *moved, schedule, target));
  const auto tensor =
      std::ranges::find(result.tensors, moved->computation.output.tensor, &ScheduledTensor::name);
  CHECK(tensor != result.tensors.end(), "the stage's tensor has a layout");
  tensor->layout.scope = MemoryScope::global;  // no image: a tile
  return result;
}

}  // namespace dovetail
