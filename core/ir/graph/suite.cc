// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/suite.h"

#include <filesystem>
#include <map>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr size_t kMaxNameLength = 200;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

bool is_name(std::string_view text) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return !text.empty() && text.size() <= kMaxNameLength &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

Result<SuiteEntry> parse_entry(std::string_view line) {
  const size_t equals = line.find('=');
  const std::string_view name = trimmed(line.substr(0, equals));
  // A spec without a name also has an =; its "name" has a colon.
  if (equals == std::string_view::npos || !is_name(name))
    return fail("expected name = spec, the name of letters, digits and _ . -");
  KeyedTask spec = TRY(parse_task_spec(trimmed(line.substr(equals + 1))));
  return SuiteEntry{std::string(name), std::move(spec)};
}

}  // namespace

Result<Suite> parse_suite(std::string_view text, std::string_view file) {
  Suite suite;
  std::map<std::string, size_t> first_line;
  size_t number = 0;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // some editors begin a file with it
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view content = trimmed(line.substr(0, line.find('#')));
    if (content.empty()) continue;
    auto entry = parse_entry(content);
    if (!entry) return fail("{}:{}: {}", file, number, entry.error().message);
    const auto [earlier, is_new] = first_line.emplace(entry->name, number);
    if (!is_new)
      return fail("{}:{}: the name {} is taken by line {}; expected a name of its own", file,
                  number, entry->name, earlier->second);
    suite.push_back(*std::move(entry));
  }
  if (suite.empty()) return fail("{}: found no operator; expected lines name = spec", file);
  return suite;
}

Result<Suite> read_suite(const std::string& path) {
  if (const std::string_view found = what_else_than_plain(path); !found.empty())
    return fail("suite {}: found {}; expected a file", path, found);
  const Result<std::string> text = read_file(path);
  std::error_code ignored;
  if (!text && !std::filesystem::exists(path, ignored)) return fail("suite {}: no such file", path);
  if (!text || text->empty())
    return fail("suite {}: cannot read it; expected a file of lines name = spec", path);
  return parse_suite(*text, path);
}

std::string print(const Suite& suite) {
  std::string text;
  for (const SuiteEntry& entry : suite)
    text += fmt::format("{} = {}\n", entry.name, print(entry.spec));
  return text;
}

}  // namespace dovetail
