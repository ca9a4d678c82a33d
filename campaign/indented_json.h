// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results of verbs as JSON: one object, indented by two spaces.
//
//   using Json = nlohmann::ordered_json;
//   indented_json(Json{{"spec", "gmm:…"}, {"seconds", or_null(seconds)}})
//
// Templates, so that only .cc files include nlohmann/json.

#include <optional>
#include <string>

#include "core/base/printable.h"

namespace dovetail {

// Writes a missing value as null, and an empty text likewise.
template <typename Value>
struct OrNull {
  std::optional<Value> value;
};
template <typename Json, typename Value>
void to_json(Json& json, const OrNull<Value>& of) {
  json = of.value ? Json(*of.value) : Json();
}
template <typename Value>
OrNull<Value> or_null(const std::optional<Value>& value) {
  return {value};
}
inline OrNull<std::string> or_null(const std::string& text) {
  return {text.empty() ? std::nullopt : std::optional(text)};
}

// Ends with a line feed. Bytes that are not UTF-8 become U+FFFD, and terminal control characters
// become JSON escapes.
template <typename Json>
std::string indented_json(const Json& json) {
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace dovetail
