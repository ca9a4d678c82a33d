// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parsers and printers of short texts share these: lists, numbers that are the whole of a text,
// names that an error says it expected, words of a shell.
//
//   split("3x3x1", 'x')     "3", "3", "1"
//   split("", 'x')          ""
//   read_number<int64_t>("64")     64
//   read_number<int64_t>("64k")    no value
//   one_of(std::array{"h", "w"})   "h, w"
//   hash_of_text("")               14695981039346656037, on every machine
//   shell_word("it's 1")           'it'\''s 1'
//   shell_word("a\x1b")             $'a\x1b'
//   did_you_mean("tun", {"tune", "log"})    "; did you mean tune?"

#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// A text as the shell reads it as one word, for commands that are printed to be pasted.
std::string shell_word(const std::string& text);

// FNV-1a: ten lines that anybody can write again, in any language, to check a log.
uint64_t hash_of_text(std::string_view text);

// One part more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

// The names of a list, for what an error expected: one_of(verbs(), &Verb::name) is "tune, show".
template <typename List, typename NameOf = std::identity>
std::string one_of(const List& list, NameOf name_of = {}) {
  std::string names;
  for (const auto& item : list) {
    names += names.empty() ? "" : ", ";
    names += std::invoke(name_of, item);
  }
  return names;
}

// "a, b, c and 2 more": no line of a message grows with what it counts.
std::string first_names(const std::vector<std::string>& names, size_t most = 8);

// For the end of an error: the known word that the one found is a slip of the hand away from (at
// most two letters added, left out, swapped or other, and less than half of them); "" for none.
std::string did_you_mean(std::string_view found, const std::vector<std::string>& known);

// The enumerator that a word of the list names.
template <typename Enum, size_t Size>
std::optional<Enum> word_to(const std::array<std::string_view, Size>& words,
                            std::string_view word) {
  for (size_t i = 0; i < Size; ++i)
    if (words[i] == word) return static_cast<Enum>(i);
  return std::nullopt;
}

// Gives no value when the text is anything but one number that the type holds.
template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace dovetail
