// SPDX-License-Identifier: Apache-2.0
#include "dovetail/handles/option_words.h"

#include <algorithm>
#include <array>

namespace dovetail::api {
namespace {

// Where the member's name is not the option's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMembers = {
    {{"shape", "shapes"}, {"constant", "constants"}, {"memory_limit", "memory_limit_mb"}}};

std::string member_of(std::string_view option) {
  std::string name(option);
  std::ranges::replace(name, '-', '_');
  for (const auto& [named, member] : kMembers)
    if (name == named) return std::string(member);
  return name;
}

}  // namespace

std::string with_members(std::string_view message) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  std::string text;
  size_t at = 0;
  while (at < message.size()) {
    const std::string_view rest = message.substr(at);
    const bool is_word = text.empty() || text.back() == ' ' || text.back() == '(';
    if (!is_word || !rest.starts_with("--") || rest.find_first_of(kLetters) != 2) {
      text += message[at++];
      continue;
    }
    const size_t end =
        std::min(rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", 2), rest.size());
    text += "option " + member_of(rest.substr(2, end - 2));
    at += end;
  }
  return text;
}

Listener with_members(const Listener& listener) {
  Listener own = listener;
  own.note = [note = listener.note](const std::string& line) { note(with_members(line)); };
  return own;
}

}  // namespace dovetail::api
