// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>

namespace dovetail {
namespace {

constexpr size_t kMostDims = 64;         // numpy's own limit
constexpr size_t kShownTextLength = 24;  // of what was found

bool is_printable(unsigned char c) { return std::isprint(c) != 0; }

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  Result<NpyHeader> parse() {
    TRY(expect('{'));
    while (!accept('}')) {
      TRY(parse_entry());
      if (accept(',')) continue;
      TRY(expect('}'));
      break;
    }
    skip_spaces();
    if (!rest_.empty()) return unexpected("nothing behind the header's '}'");
    for (size_t k = 0; k < kKeys.size(); ++k) {
      if (!seen_[k]) return fail(fmt::format("header without '{}'", kKeys[k]));
    }
    return header_;
  }

 private:
  static constexpr std::array<std::string_view, 3> kKeys = {"descr", "fortran_order", "shape"};

  Result<void> parse_entry() {
    const std::string key = TRY(parse_text("one of 'descr', 'fortran_order', 'shape'"));
    const auto known = std::ranges::find(kKeys, key);
    if (known == kKeys.end())
      return fail(
          fmt::format("header with key '{}'; expected 'descr', 'fortran_order' and 'shape'", key));
    bool& seen = seen_[static_cast<size_t>(known - kKeys.begin())];
    if (seen) return fail(fmt::format("header with '{}' twice", key));
    seen = true;
    TRY(expect(':'));
    if (key == "descr") {
      header_.descr = TRY(parse_text("the type of all elements, such as '<f4'"));
    } else if (key == "shape") {
      header_.shape = TRY(parse_tuple());
    } else {
      header_.fortran_order = TRY(parse_truth());
    }
    return {};
  }

  Result<std::string> parse_text(std::string_view expected) {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    const size_t end = rest_.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos)
      return unexpected(expected);
    std::string text(rest_.substr(1, end - 1));
    // Shown in messages, which are one line.
    if (text.size() > kShownTextLength || !std::ranges::all_of(text, is_printable))
      return unexpected(expected);
    rest_.remove_prefix(end + 1);
    return text;
  }

  Result<bool> parse_truth() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    return unexpected("True or False");
  }

  Result<std::vector<int64_t>> parse_tuple() {
    std::vector<int64_t> extents;
    TRY(expect('('));
    while (!accept(')')) {
      skip_spaces();
      int64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc() || extent < 0) return unexpected("extents, such as (2, 3)");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      extents.push_back(extent);
      if (extents.size() > kMostDims)
        return fail(fmt::format("shape of more than {} dimensions", kMostDims));
      if (accept(',')) continue;
      TRY(expect(')'));
      break;
    }
    return extents;
  }

  void skip_spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  Result<void> expect(char c) {
    if (accept(c)) return {};
    return unexpected(fmt::format("'{}'", c));
  }
  Unexpected unexpected(std::string_view expected) const {
    std::string found(rest_.substr(0, rest_.find('\n')).substr(0, kShownTextLength));
    std::ranges::replace_if(found, std::not_fn(is_printable), '?');
    return fail(fmt::format("header has \"{}\", expected {}", found, expected));
  }

  std::string_view rest_;
  NpyHeader header_;
  std::array<bool, 3> seen_{};
};

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

std::string print(const NpyHeader& header) {
  // A tuple of one has a comma behind it.
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", header.descr,
                     header.fortran_order ? "True" : "False", fmt::join(header.shape, ", "),
                     header.shape.size() == 1 ? "," : "");
}

}  // namespace dovetail
