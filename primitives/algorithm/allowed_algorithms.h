// SPDX-License-Identifier: Apache-2.0
//
// AllowsAlgorithm: predicate of the algorithms by which a task's trace may compute its sums. Other
// algorithms round differently from the definition; whether a task tolerates that is decided
// outside of spaces and logs (campaign/accuracy), which only ask.
//
//   allowed_only(space, any_algorithm)       the space itself
//   allowed_only(space, definition_only)     what --exact asks for
#pragma once

#include <functional>
#include <optional>
#include <variant>

#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// The definition's sums (no algorithm) are always allowed, and products of split factors, which are
// what a task in tf32x2 asks for.
using AllowsAlgorithm =
    std::function<bool(const TaskSpec& task, const std::optional<Algorithm>& algorithm)>;

inline bool any_algorithm(const TaskSpec& /*task*/, const std::optional<Algorithm>& /*algorithm*/) {
  return true;
}
inline bool definition_only(const TaskSpec& /*task*/, const std::optional<Algorithm>& algorithm) {
  return !algorithm || std::holds_alternative<algorithm::SplitFactors>(*algorithm);
}

}  // namespace dovetail
