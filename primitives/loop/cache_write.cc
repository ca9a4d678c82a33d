// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/cache_write.h"

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Stage> apply(const loop::CacheWrite& cache_write, const Stage& stage) {
  const std::string what = print(LoopPrimitive(cache_write));
  const std::string& output = stage.computation.output.tensor;
  if (cache_write.tensor != output) {
    return refuse(what, "tensor {} is not written here, expected {}", cache_write.tensor, output);
  }
  if (stage.cache_write_at)
    return refuse(what, "{} is already accumulated at {}", output, *stage.cache_write_at);
  if (cache_write.at != "root") TRY(require_loop(what, cache_write.at, stage));
  Stage result = stage;
  result.cache_write_at = cache_write.at;
  result.streaming_stores = cache_write.streaming;
  return result;
}

}  // namespace dovetail
