// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/name_text.h"

#include <algorithm>
#include <charconv>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr std::string_view kPlainCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";

Result<char> byte_of(std::string_view digits) {
  unsigned byte = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16).ptr;
  if (digits.size() != 2 || end != digits.data() + 2)
    return fail("found \\x without two hexadecimal digits in {}", print_name(digits));
  return static_cast<char>(byte);
}

Result<std::string> take_quoted(std::string_view& rest) {
  std::string text;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return text;
    }
    if (rest[i] != '\\') {
      text += rest[i];
    } else if (rest.substr(i + 1, 1) == "x") {
      text += TRY(byte_of(rest.substr(i + 2, 2)));
      i += 3;
    } else if (i + 1 < rest.size()) {
      text += rest[++i];
    }
  }
  return fail("found a name without its closing quote");
}

}  // namespace

std::string print_name(std::string_view name) {
  if (!name.empty() && name.find_first_not_of(kPlainCharacters) == std::string_view::npos)
    return std::string(name);
  std::string text = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      text += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte >= 0x7f)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text + "\"";
}

Result<std::string> take_name(std::string_view& rest) {
  if (rest.starts_with('"')) return take_quoted(rest);
  const size_t length = std::min(rest.find_first_not_of(kPlainCharacters), rest.size());
  if (length == 0)
    return fail("found {}; expected a name",
                rest.empty() ? "the end of the line" : print_name(rest.substr(0, 30)));
  std::string name(rest.substr(0, length));
  rest.remove_prefix(length);
  return name;
}

}  // namespace dovetail
