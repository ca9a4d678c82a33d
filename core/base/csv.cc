// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"

#include <algorithm>
#include <array>

#include "core/base/printable.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

// Spreadsheets skip leading blanks, and some treat the full-width forms of these characters alike.
bool is_computed(std::string_view text) {
  constexpr std::array<std::string_view, 8> kBegins = {"=",      "+",      "-",      "@",
                                                       "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  if (text == "-" || read_number<double>(text)) return false;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return std::ranges::any_of(kBegins,
                             [&](std::string_view begin) { return text.starts_with(begin); });
}

}  // namespace

std::string csv_cell(std::string_view text) {
  const std::string shown = (is_computed(text) ? "'" : "") + printable(text);
  // In some locales a semicolon separates cells.
  if (shown.find_first_of(",;\"") == std::string::npos) return shown;
  std::string cell = "\"";
  for (const char byte : shown) {
    if (byte == '"') cell += '"';
    cell += byte;
  }
  return cell + "\"";
}

}  // namespace dovetail
