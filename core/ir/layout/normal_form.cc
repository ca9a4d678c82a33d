// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/normal_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/check.h"
#include "core/ir/lexer.h"

namespace dovetail {
namespace {

// The set of sums of some digits of a dimension, one flag per value from `min` on.
struct Sums {
  int64_t min = 0;
  std::vector<char> reached = {1};

  void add(int64_t step, int64_t extent) {
    std::vector<char> sums(reached.size() + static_cast<size_t>(step * (extent - 1)), 0);
    for (size_t i = 0; i < reached.size(); ++i) {
      if (reached[i] == 0) continue;
      for (int64_t c = 0; c < extent; ++c) sums[i + static_cast<size_t>(c * step)] = 1;
    }
    reached = std::move(sums);
  }
  bool any_in(int64_t low, int64_t high) const {
    low = std::max<int64_t>(low - min, 0);
    high = std::min<int64_t>(high - min, static_cast<int64_t>(reached.size()));
    for (int64_t i = low; i < high; ++i)
      if (reached[static_cast<size_t>(i)] != 0) return true;
    return false;
  }
};

class Normalising {
 public:
  Normalising(NormalLayout form, std::vector<LogicalDim> dims)
      : form_(std::move(form)), dims_(std::move(dims)) {}

  NormalLayout normalised() {
    drop_and_merge();
    if (!is_exact())
      while (set_one_pad() || join_one_pad()) drop_and_merge();
    return std::move(form_);
  }

 private:
  using Digits = std::vector<NormalDigit>;

  void drop_and_merge() {
    Digits& digits = form_.digits;
    std::erase_if(digits, [](const NormalDigit& d) { return d.extent == 1; });
    for (size_t k = 0; k + 1 < digits.size();) {
      const NormalDigit& inner = digits[k + 1];
      NormalDigit& outer = digits[k];
      const bool pads = outer.dim < 0 && inner.dim < 0;
      if (pads) outer.live = outer.live * inner.extent + inner.live;
      if (pads ||
          (outer.dim >= 0 && outer.dim == inner.dim && outer.step == inner.step * inner.extent)) {
        outer.step = inner.step;
        outer.extent *= inner.extent;
        digits.erase(digits.begin() + static_cast<ptrdiff_t>(k) + 1);
        k -= k > 0 ? 1 : 0;
      } else {
        ++k;
      }
    }
  }

  // True if there is no padding, so that every count of every digit holds elements.
  bool is_exact() const {
    int64_t stored = 1, elements = 1;
    for (const NormalDigit& d : form_.digits) stored *= d.extent;
    for (const LogicalDim& d : dims_) elements *= d.extent;
    return stored == elements &&
           std::ranges::all_of(form_.offsets, [](int64_t offset) { return offset == 0; });
  }

  std::vector<int64_t> live_counts(size_t k, int64_t most) const {
    const NormalDigit& digit = form_.digits[k];
    const auto dim = static_cast<size_t>(digit.dim);
    Sums others{.min = form_.offsets[dim]};
    for (size_t o = 0; o < form_.digits.size(); ++o)
      if (o != k && form_.digits[o].dim == digit.dim)
        others.add(form_.digits[o].step, form_.digits[o].extent);
    std::vector<int64_t> counts;
    for (int64_t c = 0; c < digit.extent && static_cast<int64_t>(counts.size()) < most; ++c) {
      const int64_t shift = digit.step * c;
      if (others.any_in(-shift, dims_[dim].extent - shift)) counts.push_back(c);
    }
    return counts;
  }

  bool set_one_pad() {
    for (size_t k = 0; k < form_.digits.size(); ++k) {
      NormalDigit& digit = form_.digits[k];
      if (digit.dim < 0) continue;
      const std::vector<int64_t> counts = live_counts(k, 2);
      if (counts.size() != 1) continue;
      form_.offsets[static_cast<size_t>(digit.dim)] += digit.step * counts[0];
      digit = {.dim = -1, .step = 1, .extent = digit.extent, .live = counts[0]};
      return true;
    }
    return false;
  }

  bool join_one_pad() {
    for (size_t k = 0; k + 1 < form_.digits.size(); ++k) {
      const NormalDigit pad = form_.digits[k];
      const NormalDigit inner = form_.digits[k + 1];
      if (pad.dim >= 0 || inner.dim < 0) continue;
      const NormalLayout before = form_;
      form_.digits[k] = {inner.dim, inner.step, inner.extent * pad.extent, 0};
      form_.digits.erase(form_.digits.begin() + static_cast<ptrdiff_t>(k) + 1);
      form_.offsets[static_cast<size_t>(inner.dim)] -= inner.step * inner.extent * pad.live;
      const std::vector<int64_t> counts = live_counts(k, INT64_MAX);
      const bool inside = std::ranges::all_of(counts, [&](int64_t c) {
        return c >= inner.extent * pad.live && c < inner.extent * (pad.live + 1);
      });
      if (inside) return true;
      form_ = before;
    }
    return false;
  }

  NormalLayout form_;
  std::vector<LogicalDim> dims_;
};

}  // namespace

NormalLayout normal_form(const Layout& layout) {
  CHECK(layout.guests.empty(), "a layout with guests has no normal form");
  NormalLayout form{layout.offsets, {}, layout.scope};
  for (const PhysicalAxis& axis : layout.axes)
    for (const Digit& digit : axis.digits)
      form.digits.push_back({digit.dim, digit.step, digit.extent, 0});
  return Normalising(std::move(form), layout.logical).normalised();
}

NormalLayout row_major_form(std::span<const LogicalDim> dims) {
  return normal_form(identity_layout({dims.begin(), dims.end()}));
}

Layout layout_of(const NormalLayout& form, const std::vector<LogicalDim>& dims) {
  Layout layout = identity_layout(dims);
  if (form == row_major_form(dims)) return layout;
  layout.axes.clear();
  layout.offsets = form.offsets;
  layout.scope = form.scope;
  std::vector<int> left(dims.size(), 0), seen(dims.size(), 0);
  for (const NormalDigit& digit : form.digits)
    if (digit.dim >= 0) ++left[static_cast<size_t>(digit.dim)];
  // A pad becomes a digit of the first dim with a step larger than the range of its other digits,
  // so that every count except the live one is outside the tensor.
  int64_t beyond = dims.empty() ? 1 : dims[0].extent + std::abs(form.offsets[0]);
  for (const NormalDigit& digit : form.digits)
    beyond += digit.dim == 0 ? digit.step * digit.extent : 0;
  int pads = 0;
  for (const NormalDigit& digit : form.digits) {
    if (digit.dim < 0) {
      layout.axes.push_back({"pad" + std::to_string(pads++), {Digit{0, beyond, digit.extent}}});
      layout.offsets[0] -= beyond * digit.live;
      beyond *= 2 * digit.extent;
      continue;
    }
    const auto d = static_cast<size_t>(digit.dim);
    const std::string part = left[d] > 1 ? "." + std::to_string(seen[d]++) : "";
    layout.axes.push_back({dims[d].name + part, {Digit{digit.dim, digit.step, digit.extent}}});
  }
  return layout;
}

std::string print(const NormalLayout& form, std::span<const LogicalDim> dims) {
  if (form == row_major_form(dims)) return "row_major";
  std::string text;
  for (const NormalDigit& d : form.digits) {
    text += text.empty() ? "" : " ";
    text += d.dim < 0 ? fmt::format("pad:{}/{}", d.extent, d.live)
                      : fmt::format("{}@{}:{}", d.dim, d.step, d.extent);
  }
  std::string offsets;
  for (size_t d = 0; d < form.offsets.size(); ++d)
    if (form.offsets[d] != 0)
      offsets += fmt::format("{}{}={}", offsets.empty() ? " offset " : " ", d, form.offsets[d]);
  text += offsets;
  if (form.scope != MemoryScope::global) text += " scope " + print(form.scope);
  return text;
}

namespace {

constexpr int64_t kMostElements = int64_t{1} << 31;

class NormalParser {
 public:
  NormalParser(Cursor& cursor, std::span<const LogicalDim> dims) : cursor_(cursor), dims_(dims) {}

  Result<NormalLayout> parse() {
    if (cursor_.accept_name("row_major") || cursor_.accept_name(kFormerRowMajor))
      return row_major_form(dims_);
    const Token start = cursor_.peek();
    form_.offsets.assign(dims_.size(), 0);
    while (cursor_.at_name("pad") || cursor_.peek().kind == TokenKind::integer) TRY(digit());
    if (cursor_.accept_name("offset")) TRY(offsets());
    if (cursor_.accept_name("scope")) form_.scope = TRY(parse_scope(cursor_));
    TRY(check(start));
    return std::move(form_);
  }

 private:
  Result<int64_t> number(int64_t least, std::string_view meaning) {
    const Token token = cursor_.peek();
    const int64_t value = TRY(cursor_.expect_integer(meaning));
    if (value >= least && std::abs(value) <= kMostElements) return value;
    return cursor_.fail_at(
        token, fmt::format("found {}, expected {} from {} to 2^31", value, meaning, least));
  }

  Result<int64_t> dim() {
    const Token token = cursor_.peek();
    const int64_t d = TRY(number(0, "the position of a dimension"));
    if (d < static_cast<int64_t>(dims_.size())) return d;
    return cursor_.fail_at(token, fmt::format("found {}, expected the position of one of {} "
                                              "dimensions",
                                              d, dims_.size()));
  }

  Result<void> digit() {
    NormalDigit d;
    if (cursor_.accept_name("pad")) {
      TRY(cursor_.expect_symbol(":"));
      d.extent = TRY(number(2, "an extent"));
      TRY(cursor_.expect_symbol("/"));
      d.live = TRY(number(0, "a count"));
    } else {
      d.dim = static_cast<int>(TRY(dim()));
      TRY(cursor_.expect_symbol("@"));
      d.step = TRY(number(1, "a step"));
      TRY(cursor_.expect_symbol(":"));
      d.extent = TRY(number(2, "an extent"));
    }
    form_.digits.push_back(d);
    return {};
  }

  Result<void> offsets() {
    do {
      const int64_t d = TRY(dim());
      TRY(cursor_.expect_symbol("="));
      form_.offsets[static_cast<size_t>(d)] = TRY(number(-kMostElements, "an offset"));
    } while (cursor_.peek().kind == TokenKind::integer);
    return {};
  }

  Result<void> check(const Token& start) {
    double stored = 1;
    std::vector<double> reach(dims_.size(), 1);
    for (const NormalDigit& d : form_.digits) {
      stored *= static_cast<double>(d.extent);
      if (d.dim < 0 && d.live >= d.extent)
        return cursor_.fail_at(start, fmt::format("pad of {} counts, of which {} is to be live; "
                                                  "expected a count below",
                                                  d.extent, d.live));
      if (d.dim >= 0)
        reach[static_cast<size_t>(d.dim)] += static_cast<double>(d.step * (d.extent - 1));
    }
    if (stored > kMostElements ||
        std::ranges::any_of(reach, [](double r) { return r > kMostElements; }))
      return cursor_.fail_at(start, "a layout of more than 2^31 elements");
    for (size_t d = 0; d < dims_.size(); ++d) TRY(check_holds(start, d));
    const NormalLayout normal = normal_form(layout_of(form_, {dims_.begin(), dims_.end()}));
    if (normal == form_) return {};
    return cursor_.fail_at(start, fmt::format("found a layout that is not in normal form, "
                                              "expected `{}`",
                                              print(normal, dims_)));
  }

  Result<void> check_holds(const Token& start, size_t d) {
    Sums sums{.min = form_.offsets[d]};
    for (const NormalDigit& digit : form_.digits)
      if (digit.dim == static_cast<int>(d)) sums.add(digit.step, digit.extent);
    for (int64_t e = 0; e < dims_[d].extent; ++e) {
      if (sums.any_in(e, e + 1)) continue;
      return cursor_.fail_at(
          start, fmt::format("element {} of dimension {} ({}) has no place", e, d, dims_[d].name));
    }
    return {};
  }

  Cursor& cursor_;
  std::span<const LogicalDim> dims_;
  NormalLayout form_;
};

}  // namespace

Result<NormalLayout> parse_normal_layout(Cursor& cursor, std::span<const LogicalDim> dims) {
  return NormalParser(cursor, dims).parse();
}

}  // namespace dovetail
