// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/legal_loops.h"

#include <utility>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/loop/apply_loop.h"

namespace dovetail {

Stage with_legal_loops(const Stage& stage, std::vector<LoopPrimitive> loops) {
  Result<Stage> result = apply_all({stage.name, std::move(loops)}, stage);
  CHECK(result.has_value(), "default loops are legal: " + (result ? "" : result.error().message));
  return std::move(*result);
}

Stage vectorized_innermost(const Stage& stage, int64_t width) {
  const StageLoop& inner = stage.loops.back();
  if (width == 1) return stage;
  if (width == inner.extent) return with_legal_loops(stage, {loop::Vectorize{inner.name}});
  return with_legal_loops(stage,
                          {loop::Split{inner.name, width}, loop::Vectorize{inner.name + ".1"}});
}

int64_t default_vector_width(int64_t extent, int64_t lanes) {
  return extent % lanes == 0 ? lanes : largest_divisor(extent, 2 * lanes);
}

}  // namespace dovetail
