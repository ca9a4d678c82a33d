// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/prefetch.h"

#include <algorithm>

#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Stage> apply(const loop::Prefetch& prefetch, const Stage& stage) {
  constexpr int64_t kMaxDistance = 64;
  const std::string what = print(LoopPrimitive(prefetch));
  const std::span<const Access> inputs = element_reads(stage.computation);
  std::string known;
  for (const Access& access : inputs) known += (known.empty() ? "" : ", ") + access.tensor;
  if (!reads_tensor(inputs, prefetch.tensor))
    return refuse(what, "tensor {} is not read here, expected one of {}", prefetch.tensor, known);
  TRY(require_loop(what, prefetch.at, stage));
  if (prefetch.distance < 1 || prefetch.distance > kMaxDistance)
    return refuse(what, "distance {}, expected 1 to {}", prefetch.distance, kMaxDistance);
  for (const StagePrefetch& other : stage.prefetches) {
    if (other.tensor == prefetch.tensor && other.loop == prefetch.at)
      return refuse(what, "{} is already prefetched at {}", other.tensor, other.loop);
  }
  Stage result = stage;
  result.prefetches.push_back({prefetch.tensor, prefetch.at, prefetch.distance});
  return result;
}

}  // namespace dovetail
