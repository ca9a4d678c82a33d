// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results of verbs as JSON: one object, indented by two spaces.
//
//   indented_json({{"spec", "gmm:…"}, {"seconds", or_null(seconds)}})

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace dovetail {

using Json = nlohmann::ordered_json;

// What there is none of is null, and so is no text.
template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
inline Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Ends with a line feed; bytes that are not UTF-8 become U+FFFD.
inline std::string indented_json(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dovetail
