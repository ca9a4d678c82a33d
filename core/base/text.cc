// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <algorithm>

#include "core/base/printable.h"

namespace dovetail {
namespace {

// $'…' of bash, zsh and ksh, in which bytes may be escaped.
std::string ansi_c_word(const std::string& text) {
  std::string word;
  for (const char c : text)
    word += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return "$'" + printable(word) + "'";
}

}  // namespace

std::string shell_word(const std::string& text) {
  const std::string plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  if (printable(text) != text) return ansi_c_word(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

uint64_t hash_of_text(std::string_view text) {
  uint64_t value = 14695981039346656037u;
  for (const char c : text) {
    value ^= static_cast<unsigned char>(c);
    value *= 1099511628211u;
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string first_names(const std::vector<std::string>& names, size_t most) {
  const size_t shown = names.size() > most + 1 ? most : names.size();  // never "and 1 more"
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(shown));
  const size_t left = names.size() - shown;
  return one_of(first) + (left == 0 ? "" : " and " + std::to_string(left) + " more");
}

namespace {

// Edits between two words: letters inserted, deleted, replaced, or swapped with their neighbours
// (Damerau's distance, optimal string alignment).
size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> least(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        least[i][j] = i + j;
        continue;
      }
      const size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      least[i][j] =
          std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + other});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
    }
  }
  return least[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view found, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  size_t least = 3;
  for (const std::string& word : known) {
    const size_t distance = edits(found, word);
    if (distance >= least || 2 * distance >= word.size()) continue;
    least = distance;
    nearest = &word;
  }
  return nearest == nullptr ? "" : "; did you mean " + *nearest + "?";
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string first_error_line(const std::string& log) {
  std::string first;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    const std::string line = log.substr(at, end - at);
    at = end + 1;
    if (line.find("error") != std::string::npos) return line;
    if (first.empty() && line.find_first_not_of(" \t\r") != std::string::npos) first = line;
  }
  return first;
}

}  // namespace dovetail
