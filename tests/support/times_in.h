// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace dovetail::testing {

// How often the part begins in the text: 2 for "aa" in "aaa".
inline size_t times_in(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace dovetail::testing
