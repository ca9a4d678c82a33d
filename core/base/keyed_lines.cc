// SPDX-License-Identifier: Apache-2.0
#include "core/base/keyed_lines.h"

#include <algorithm>
#include <string>

#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr size_t kMostShown = 40;  // bytes of an arbitrary line quoted in an error

// The text's first bytes as printable ASCII, since the file may be anything.
std::string shown(std::string_view text) {
  std::string line(text.substr(0, kMostShown));
  std::ranges::replace_if(line, [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

}  // namespace

Result<std::string_view> KeyedLines::take(std::string_view key) {
  const size_t end = rest_.find('\n');
  const std::string_view line = rest_.substr(0, end);
  if (end == std::string_view::npos || !line.starts_with(key) || line.size() <= key.size() ||
      line[key.size()] != ' ') {
    return fail("no " + std::string(what_) + ": expected a line '" + std::string(key) +
                " …', found '" + shown(line) + "'");
  }
  rest_.remove_prefix(end + 1);
  return line.substr(key.size() + 1);
}

Result<int64_t> KeyedLines::take_count(std::string_view key) {
  const std::string_view word = TRY(take(key));
  const auto count = read_number<int64_t>(word);
  if (!count || *count < 0) {
    return fail(std::string(what_) + ": " + std::string(key) + " is '" + shown(word) +
                "', expected a count");
  }
  return *count;
}

}  // namespace dovetail
