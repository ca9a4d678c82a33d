// SPDX-License-Identifier: Apache-2.0
#pragma once

// What parsers of short texts share: lists, and numbers that are the whole of a text.
//
//   split("3x3x1", 'x')     "3", "3", "1"
//   split("", 'x')          ""
//   read_number<int64_t>("64")     64
//   read_number<int64_t>("64k")    nothing

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace dovetail {

// One part more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

// Nothing when the text is anything but one number that the type holds.
template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace dovetail
