// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/double_buffer.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Stage> apply(const loop::DoubleBuffer& double_buffer, const Stage& stage) {
  const std::string what = print(LoopPrimitive(double_buffer));
  Stage result = stage;
  std::string known;
  for (CachedRead& read : result.cached_reads) {
    known += (known.empty() ? "one of " : ", ") + read.tensor + ".cache";
    if (read.tensor + ".cache" != double_buffer.tensor) continue;
    if (read.doubled) return refuse(what, "it has two copies already");
    read.doubled = true;
    return result;
  }
  return refuse(what, "stage {} copies no {}, expected {}", stage.name, double_buffer.tensor,
                known.empty() ? "a cache_read before" : known);
}

}  // namespace dovetail
