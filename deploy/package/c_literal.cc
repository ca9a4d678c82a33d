// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/c_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr size_t kMostLiteral = 4095;
constexpr size_t kColumns = 100;

// Octal escapes end after three digits, unlike hexadecimal ones; `?` could begin a trigraph.
std::string escaped(char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '?': return "\\?";
    case '\n': return "\\n";
    default: break;
  }
  if (c >= ' ' && c <= '~') return {c};
  return fmt::format("\\{:03o}", static_cast<uint8_t>(c));
}

constexpr size_t kMostAligned = 64;  // longest code whose trailing comment is aligned

// Column of a trailing comment; npos: there is none, or it has the line to itself.
size_t comment_of(std::string_view line) {
  const size_t begin = line.find(" /* ");
  const bool is_last = line.ends_with("*/") && line.find("*/") == line.size() - 2;
  const bool has_code = line.find_first_not_of(' ') < begin && begin < kMostAligned;
  return is_last && has_code ? begin : std::string_view::npos;
}

bool joins_group(std::string_view line) {
  return comment_of(line) != std::string_view::npos || line.starts_with("#define ");
}

}  // namespace

std::string with_aligned_comments(std::string_view code) {
  const std::vector<std::string_view> lines = split(code, '\n');
  std::string out;
  for (size_t i = 0; i < lines.size();) {
    size_t end = i, width = 0;
    for (; end < lines.size() && joins_group(lines[end]); ++end)
      if (const size_t at = comment_of(lines[end]); at != std::string_view::npos)
        width = std::max(width, at);
    for (end = std::max(end, i + 1); i < end; ++i) {
      const size_t at = comment_of(lines[i]);
      out += at == std::string_view::npos
                 ? lines[i]
                 : fmt::format("{:{}}{}", lines[i].substr(0, at), width, lines[i].substr(at));
      out += i + 1 < lines.size() ? "\n" : "";
    }
  }
  return out;
}

std::string c_string_lines(std::string_view text, std::string_view indent) {
  std::string out, line;
  for (const char c : text) {
    line += escaped(c);
    if (indent.size() + line.size() + 8 < kColumns) continue;
    out += fmt::format("{}\"{}\"\n", indent, line);
    line.clear();
  }
  if (!line.empty() || out.empty()) out += fmt::format("{}\"{}\"\n", indent, line);
  out.pop_back();
  return out;
}

std::string c_text_return(std::string_view text) {
  if (text.size() <= kMostLiteral)
    return fmt::format("  return\n{};\n", c_string_lines(text, "      "));
  std::vector<std::string> bytes;
  for (const char c : text)
    bytes.push_back(std::to_string(static_cast<int>(static_cast<uint8_t>(c))));
  return fmt::format(
      "  static const char text[] = {{ /* longer than a literal may be */\n{}  0}};\n  return "
      "text;\n",
      c_rows(bytes));
}

std::string c_rows(const std::vector<std::string>& items, std::string_view indent) {
  std::string out, line(indent);
  for (const std::string& item : items) {
    if (line.size() + item.size() + 2 > kColumns) {
      out += line + "\n";
      line = indent;
    }
    line += " " + item + ",";
  }
  return out + line + "\n";
}

}  // namespace dovetail
