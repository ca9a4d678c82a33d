// SPDX-License-Identifier: Apache-2.0
#pragma once

// fail with a format string: returns a one-line error. Included by .cc files only, because it
// includes fmt (scripts/check-includes); core/base itself uses only the standard library.
//
//   if (extent % factor != 0) return fail("factor {} does not divide {}", factor, extent);

#include <fmt/format.h>

#include "core/base/result.h"

namespace dovetail {

template <typename... Args>
  requires(sizeof...(Args) > 0)
[[nodiscard]] Unexpected fail(fmt::format_string<Args...> format, Args&&... args) {
  return fail(fmt::vformat(format, fmt::make_format_args(args...)));
}

// The device has too little of something (ErrorKind::device_limit).
template <typename... Args>
[[nodiscard]] Unexpected fail_by_limit(fmt::format_string<Args...> format, Args&&... args) {
  return Unexpected(Error{.message = fmt::vformat(format, fmt::make_format_args(args...)),
                          .kind = ErrorKind::device_limit});
}

}  // namespace dovetail
