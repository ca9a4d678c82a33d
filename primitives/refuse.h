// SPDX-License-Identifier: Apache-2.0
//
// refuse: the error of a primitive or a pass: its name, and the reason. For .cc files only, because
// it includes fmt (scripts/check-includes).
//
//   refuse("stage c2d", "loop {} is bound twice", "h")     stage c2d: loop h is bound twice
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/base/result.h"

namespace dovetail {

template <typename... Args>
[[nodiscard]] Unexpected refuse(const std::string& what, fmt::format_string<Args...> reason,
                                Args&&... args) {
  return fail(what + ": " + fmt::format(reason, std::forward<Args>(args)...));
}

}  // namespace dovetail
