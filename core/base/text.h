// SPDX-License-Identifier: Apache-2.0
#pragma once

// Helpers shared by parsers and printers of short texts: splitting, numbers that fill a whole text,
// lists of names for error messages, shell quoting.
//
//   split("3x3x1", 'x')     "3", "3", "1"
//   split("", 'x')          ""
//   read_number<int64_t>("64")     64
//   read_number<int64_t>("64k")    no value
//   one_of(std::array{"h", "w"})   "h, w"
//   hash_of_text("")               14695981039346656037, on every machine
//   counted(1, "trial")            "1 trial"
//   shell_word("it's 1")           'it'\''s 1'
//   shell_word("a\x1b")             $'a\x1b'
//   did_you_mean("tun", {"tune", "log"})    "; did you mean tune?"
//   one_of_or_nearest("tun", verbs)         "tune, log; did you mean tune?"

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// The text quoted so that a shell reads it as one word, for commands printed to be pasted.
std::string shell_word(const std::string& text);

// FNV-1a: simple enough to reimplement in any language to check a log.
uint64_t hash_of_text(std::string_view text);

// Returns one part more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

// The names of a list, for an error's "expected": one_of(verbs(), &Verb::name) is "tune, show".
template <typename List, typename NameOf = std::identity>
std::string one_of(const List& list, NameOf name_of = {}) {
  std::string names;
  for (const auto& item : list) {
    names += names.empty() ? "" : ", ";
    names += std::invoke(name_of, item);
  }
  return names;
}

// "1 trial", "2 trials": a count before its noun, whose plural takes an s.
template <std::integral Count>
std::string counted(Count count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

// "a, b, c and 2 more": bounds the length of a message.
std::string first_names(const std::vector<std::string>& names, size_t most = 8);

// The end of an error: suggests the nearest known word, at most two edits away (letters inserted,
// deleted, replaced or swapped) and fewer than half of its letters; "" for none.
std::string did_you_mean(std::string_view found, const std::vector<std::string>& known);

// The names of a list, and the one that `found` may stand for: the end of "expected one of: …".
template <typename List, typename NameOf = std::identity>
std::string one_of_or_nearest(std::string_view found, const List& list, NameOf name_of = {}) {
  std::vector<std::string> known;
  for (const auto& item : list) known.emplace_back(std::invoke(name_of, item));
  return one_of(known) + did_you_mean(found, known);
}

// The enumerator whose index in `words` is that of `word`.
template <typename Enum, size_t Size>
std::optional<Enum> word_to(const std::array<std::string_view, Size>& words,
                            std::string_view word) {
  for (size_t i = 0; i < Size; ++i)
    if (words[i] == word) return static_cast<Enum>(i);
  return std::nullopt;
}

// nullopt unless the whole text is one number that fits the type.
template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string lower_case(std::string_view text);  // changes ASCII letters only

// The first line of a compiler's log that contains "error", else its first non-blank line.
std::string first_error_line(const std::string& log);

}  // namespace dovetail
