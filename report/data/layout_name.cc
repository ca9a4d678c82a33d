// SPDX-License-Identifier: Apache-2.0
#include "report/data/layout_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/text.h"
#include "core/ir/layout/normal_form.h"

namespace dovetail {
namespace {

struct PlacedDigit {
  size_t dim = 0;
  std::string step = {};
  std::string extent = {};
  bool is_block = false;  // another digit of the dimension is outside of it
};

struct StorageOrder {
  std::vector<PlacedDigit> digits = {};  // outermost first
  std::string remarks = {};              // ", padded", ", texture"
};

std::optional<size_t> number(std::string_view text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

std::optional<PlacedDigit> digit_of(std::string_view word) {
  const size_t at = word.find('@'), colon = word.find(':');
  if (at == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
  const std::optional<size_t> dim = number(word.substr(0, at));
  constexpr size_t kMostDimensions = 16;  // no tensor of ours has more, whatever a log says
  if (!dim || *dim >= kMostDimensions) return std::nullopt;
  return PlacedDigit{.dim = *dim,
                     .step = std::string(word.substr(at + 1, colon - at - 1)),
                     .extent = std::string(word.substr(colon + 1))};
}

StorageOrder storage_order(std::string_view form) {
  StorageOrder order;
  bool is_scope = false, is_padded = false;
  for (const std::string_view word : split(form, ' ')) {
    if (is_scope) order.remarks += fmt::format(", {}", word);
    is_scope = word == "scope";
    is_padded = is_padded || word == "offset" || word.starts_with("pad:");
    std::optional<PlacedDigit> digit = digit_of(word);
    if (!digit) continue;
    digit->is_block = std::ranges::count(order.digits, digit->dim, &PlacedDigit::dim) > 0;
    order.digits.push_back(*std::move(digit));
  }
  if (is_padded) order.remarks = ", padded" + order.remarks;
  return order;
}

std::vector<std::string> letters_of_rank(size_t rank) {
  if (rank == 4) return {"n", "c", "h", "w"};
  if (rank == 5) return {"n", "c", "d", "h", "w"};
  std::vector<std::string> letters;
  for (size_t i = 0; i < rank; ++i) letters.emplace_back(1, static_cast<char>('a' + i % 26));
  return letters;
}

// Dimensions of extent one have no digit: they stand where the order of the dimensions has them.
void add_missing(size_t rank, std::vector<PlacedDigit>& digits) {
  for (size_t dim = 0; dim < rank; ++dim) {
    if (std::ranges::count(digits, dim, &PlacedDigit::dim) > 0) continue;
    auto before = digits.begin();
    if (dim > 0) before = std::ranges::find(digits, dim - 1, &PlacedDigit::dim) + 1;
    digits.insert(before, {.dim = dim, .step = "1", .extent = "1"});
  }
}

std::string upper(std::string text) {
  for (char& letter : text)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return text;
}

bool is_split(const std::vector<PlacedDigit>& digits, size_t dim) {
  return std::ranges::count(digits, dim, &PlacedDigit::dim) > 1;
}

bool is_in_order(const std::vector<PlacedDigit>& digits) {
  return std::ranges::is_sorted(digits, {}, &PlacedDigit::dim);
}

// "nChw16c", or "n C/16 H/7 16c w 7h" where a block is not innermost.
std::string spelled(const std::vector<PlacedDigit>& digits,
                    const std::vector<std::string>& letters) {
  const auto first_block = std::ranges::find(digits, true, &PlacedDigit::is_block);
  const bool is_compact = std::ranges::all_of(
      first_block, digits.end(), [](const PlacedDigit& digit) { return digit.is_block; });
  const bool is_any_split = first_block != digits.end();
  std::string name;
  for (const PlacedDigit& digit : digits) {
    const std::string& letter = letters[digit.dim];
    if (!name.empty() && (!is_compact || !is_any_split)) name += " ";
    if (digit.is_block)
      name += digit.extent + letter;
    else if (!is_split(digits, digit.dim))
      name += letter;
    else
      name += upper(letter) + (is_compact ? "" : "/" + digit.step);
  }
  return name;
}

// Names without blocks: those of images and of matrices; empty: it has none.
std::string common_name(const std::vector<PlacedDigit>& digits,
                        const std::vector<std::string>& letters) {
  if (std::ranges::any_of(digits, &PlacedDigit::is_block)) return "";
  std::string name;
  for (const PlacedDigit& digit : digits) name += upper(letters[digit.dim]);
  const bool is_image = letters.size() >= 4 && letters.back() == "w";
  constexpr std::string_view kImages[] = {"NHWC", "CHWN", "NDHWC", "OHWI", "HWIO", "HWOI"};
  if (is_image && (is_in_order(digits) || std::ranges::count(kImages, name) > 0)) return name;
  if (is_in_order(digits)) return "row-major";
  const auto is_long = [](const PlacedDigit& digit) { return digit.extent != "1"; };
  return std::ranges::count_if(digits, is_long) == 2 ? "column-major" : "";
}

}  // namespace

std::string layout_name(std::string_view form, const std::vector<std::string>& letters) {
  StorageOrder order = storage_order(form);
  size_t rank = letters.size();
  for (const PlacedDigit& digit : order.digits) rank = std::max(rank, digit.dim + 1);
  const bool is_row_major = order.digits.empty();
  if (is_row_major && letters.empty()) return "row-major" + order.remarks;
  const std::vector<std::string> names = letters.size() == rank ? letters : letters_of_rank(rank);
  add_missing(rank, order.digits);
  const std::string common = common_name(order.digits, names);
  return (common.empty() ? spelled(order.digits, names) : common) + order.remarks;
}

std::vector<std::string> letters_of(const std::vector<std::string>& dims) {
  std::vector<std::string> letters;
  bool is_weight = false;
  for (const std::string& dim : dims) {
    const bool is_of_kernel = dim.size() == 2 && dim.front() == 'k';  // kh, kw
    is_weight = is_weight || is_of_kernel;
    letters.push_back(dim.substr(is_of_kernel ? 1 : 0, 1));
  }
  std::vector<std::string> sorted = letters;
  std::ranges::sort(sorted);
  const bool are_distinct = std::ranges::adjacent_find(sorted) == sorted.end();
  // The dimensions of a written region may stand for anything.
  const bool is_image =
      dims.size() >= 4 && letters.front() == "n" && letters[1] != "g" && !is_weight;
  return is_image || !are_distinct ? letters_of_rank(dims.size()) : letters;
}

}  // namespace dovetail
