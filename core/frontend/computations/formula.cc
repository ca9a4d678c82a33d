// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/computations/formula.h"

#include <algorithm>

namespace dovetail {

std::string filled(std::string_view formula, const Letters& letters) {
  std::string text;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  for (size_t i = 0; i < formula.size();) {
    size_t end = i + 1;
    if (is_letter(formula[i]))
      while (end < formula.size() && is_letter(formula[end])) ++end;
    else if (static_cast<unsigned char>(formula[i]) >= 0x80)
      end = i + 2;
    const std::string_view word = formula.substr(i, end - i);
    const auto found =
        std::ranges::find(letters, word, &std::pair<std::string_view, std::string>::first);
    text += found == letters.end() ? std::string(word) : found->second;
    i = end;
  }
  return text;
}

}  // namespace dovetail
