// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/prefetch.h"

#include <fmt/format.h>

#include <algorithm>

#include "primitives/loop/loop_lookup.h"

namespace dovetail {

Result<Stage> apply(const loop::Prefetch& prefetch, const Stage& stage) {
  constexpr int64_t kMaxDistance = 64;
  const std::string what = print(LoopPrimitive(prefetch));
  const std::span<const Access> inputs = element_reads(stage.computation);
  std::string known;
  for (const Access& access : inputs) known += (known.empty() ? "" : ", ") + access.tensor;
  if (!reads_tensor(inputs, prefetch.tensor))
    return fail(fmt::format("{}: tensor {} is not read here, expected one of {}", what,
                            prefetch.tensor, known));
  TRY(require_loop(what, prefetch.at, stage));
  if (prefetch.distance < 1 || prefetch.distance > kMaxDistance)
    return fail(
        fmt::format("{}: distance {}, expected 1 to {}", what, prefetch.distance, kMaxDistance));
  for (const StagePrefetch& other : stage.prefetches) {
    if (other.tensor == prefetch.tensor && other.loop == prefetch.at)
      return fail(
          fmt::format("{}: {} is already prefetched at {}", what, other.tensor, other.loop));
  }
  Stage result = stage;
  result.prefetches.push_back({prefetch.tensor, prefetch.at, prefetch.distance});
  return result;
}

}  // namespace dovetail
