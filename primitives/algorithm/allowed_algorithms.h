// SPDX-License-Identifier: Apache-2.0
//
// AllowsAlgorithm: which algorithms a task's trace may compute its sums by. An algorithm other than
// the definition's rounds otherwise, and whether a task's numbers stand that is decided outside of
// spaces and logs (campaign/accuracy); they only ask.
//
//   allowed_only(space, any_algorithm)       the space itself
//   allowed_only(space, definition_only)     what --exact asks for
#pragma once

#include <functional>
#include <optional>

#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// The definition's sums (no algorithm) are always allowed.
using AllowsAlgorithm =
    std::function<bool(const TaskSpec& task, const std::optional<Algorithm>& algorithm)>;

inline bool any_algorithm(const TaskSpec& /*task*/, const std::optional<Algorithm>& /*algorithm*/) {
  return true;
}
inline bool definition_only(const TaskSpec& /*task*/, const std::optional<Algorithm>& algorithm) {
  return !algorithm;
}

}  // namespace dovetail
