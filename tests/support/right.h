// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/result.h"

namespace dovetail::testing {

// The value of what must be right in a test: an error ends the program with its message, and
// `what` it is of.
//
//   const Operator op = right(parse_operator(spec), spec);
template <typename T>
T right(Result<T> result, std::string_view what = "") {
  CHECK(result.has_value(),
        (what.empty() ? "" : std::string(what) + ": ") + result.error().message);
  return std::move(*result);
}

}  // namespace dovetail::testing
