// SPDX-License-Identifier: Apache-2.0
#include "core/ir/schedule/schedule.h"

namespace dovetail {

Ranges loop_ranges(const Stage& stage) {
  Ranges ranges;
  for (const StageLoop& loop : stage.loops) ranges[loop.name] = {0, loop.extent - 1};
  if (!stage.attachment) return ranges;
  for (const StageLoop& loop : stage.attachment->around) ranges[loop.name] = {0, loop.extent - 1};
  return ranges;
}

}  // namespace dovetail
