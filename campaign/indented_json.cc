// SPDX-License-Identifier: Apache-2.0
#include "campaign/indented_json.h"

#include <cstddef>

#include "core/base/printable.h"

namespace dovetail {

std::string indented(std::string_view json) {
  std::string text;
  size_t depth = 0;
  bool in_string = false;
  const auto start_line = [&] { text.append("\n").append(2 * depth, ' '); };
  for (size_t i = 0; i < json.size(); ++i) {
    const char byte = json[i];
    const bool is_bracket = !in_string && (byte == '{' || byte == '[');
    const bool is_end = !in_string && (byte == '}' || byte == ']');
    const bool was_start = !text.empty() && (text.back() == '{' || text.back() == '[');
    if (is_end) --depth;
    if (is_end && !was_start) start_line();
    text += byte;
    if (byte == '"') in_string = !in_string;
    if (in_string && byte == '\\') text += json[++i];
    if (is_bracket) ++depth;
    const bool is_empty = is_bracket && (json[i + 1] == '}' || json[i + 1] == ']');
    if ((is_bracket && !is_empty) || (!in_string && byte == ',')) start_line();
    if (!in_string && byte == ':') text += ' ';
  }
  return printable_json(text) + "\n";
}

}  // namespace dovetail
