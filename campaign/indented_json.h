// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results of verbs as JSON: one object, indented by two spaces.
//
//   indented_json(std::tuple(Field{"spec", row.spec}, Field{"seconds", row.seconds}))

#include <string>
#include <string_view>

#include "core/record/line/fields.h"

namespace dovetail {

// The same JSON on several lines, with terminal control characters as JSON escapes; ends with a
// line feed.
std::string indented(std::string_view json);

template <typename Value>
std::string indented_json(const Value& value) {
  return indented(json_of(value, Reals::or_null));
}

}  // namespace dovetail
