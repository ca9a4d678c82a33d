// SPDX-License-Identifier: Apache-2.0
//
// X[n=1, i=64] as [n@1:1] [i@16:4] [i@1:16] offset i=-1 ; scope texture
// W[o=64, i=9] as [i@1:9] [o@1:64] holds bias[o=64] at i=8
// W[k=64, n=9] as [k@1:64] [n@1:9] times 16
//
// An axis is printed as its digits, `dim@step:extent`, then `=name` when its name is not the
// default name.

#include <bit>
#include <limits>

#include "core/ir/layout/layout.h"
#include "core/ir/lexer.h"

namespace dovetail {
namespace {

std::string print_axis(const Layout& layout, const PhysicalAxis& axis) {
  std::string text = "[";
  for (size_t p = 0; p < axis.digits.size(); ++p) {
    const Digit& digit = axis.digits[p];
    if (p > 0) text += ' ';
    text += layout.logical[digit.dim].name + "@" + std::to_string(digit.step) + ":" +
            std::to_string(digit.extent);
  }
  const bool plain =
      axis.digits.size() == 1 && axis.name == layout.logical[axis.digits[0].dim].name;
  return text + (plain ? "]" : " =" + axis.name + "]");
}

std::string print_dims(const std::vector<LogicalDim>& dims) {
  std::string text = "[";
  for (const LogicalDim& dim : dims)
    text += (text.size() > 1 ? ", " : "") + dim.name + "=" + std::to_string(dim.extent);
  return text + "]";
}

// Larger storage is refused, so that sizes in bytes and flat offsets always fit 63 bits.
constexpr int64_t kMaxElements = int64_t{1} << 48;
constexpr size_t kMaxAxes = 64;

class LayoutParser {
 public:
  explicit LayoutParser(Cursor& cursor) : cursor_(cursor) {}

  Result<NamedLayout> layout() {
    const Token start = cursor_.peek();
    NamedLayout named;
    named.tensor = TRY(cursor_.expect_name("a tensor's name"));
    layout_.logical = TRY(dims());
    layout_.offsets.assign(layout_.logical.size(), 0);
    TRY(cursor_.expect_word("as"));
    while (cursor_.at_symbol("[")) {
      layout_.axes.push_back(TRY(axis()));
      if (layout_.axes.size() > kMaxAxes) return cursor_.unexpected("at most 64 axes");
    }
    if (cursor_.accept_name("offset")) TRY(offsets());
    if (cursor_.accept_name("times")) layout_.times = TRY(times());
    while (cursor_.accept_name("holds")) layout_.guests.push_back(TRY(guest()));
    if (cursor_.accept_symbol(";")) {
      TRY(cursor_.expect_word("scope"));
      layout_.scope = TRY(parse_scope(cursor_));
    }
    TRY(check_size(start));
    named.layout = std::move(layout_);
    return named;
  }

 private:
  // Parses an extent, step or offset, limited so that a product of two of them fits 63 bits.
  Result<int64_t> number(int64_t least, std::string_view meaning) {
    constexpr int64_t kLargest = int64_t{1} << 31;
    const Token token = cursor_.peek();
    const int64_t value = TRY(cursor_.expect_integer(meaning));
    if (value < least || value > kLargest || value < -kLargest) {
      return cursor_.fail_at(token, "found " + std::to_string(value) + ", expected " +
                                        std::string(meaning) +
                                        (least > 0 ? " from 1 to 2^31" : " from -2^31 to 2^31"));
    }
    return value;
  }

  Result<std::vector<LogicalDim>> dims() {
    std::vector<LogicalDim> list;
    TRY(cursor_.expect_symbol("["));
    if (cursor_.accept_symbol("]")) return list;
    do {
      if (list.size() == kMaxAxes) return cursor_.unexpected("at most 64 dimensions");
      LogicalDim d;
      d.name = TRY(cursor_.expect_name("a dimension"));
      TRY(cursor_.expect_symbol("="));
      d.extent = TRY(number(1, "an extent"));
      list.push_back(std::move(d));
    } while (TRY(cursor_.takes_comma("]")));
    return list;
  }

  // `bias[n=64] at k=512`
  Result<Guest> guest() {
    Guest guest;
    guest.tensor = TRY(cursor_.expect_name("a tensor"));
    guest.dims = TRY(dims());
    TRY(cursor_.expect_word("at"));
    guest.axis = layout_.logical[static_cast<size_t>(TRY(dim()))].name;
    TRY(cursor_.expect_symbol("="));
    const Token at = cursor_.peek();
    guest.at = TRY(number(1, "a position"));
    if (fits(guest)) return guest;
    return cursor_.fail_at(at, "guest " + guest.tensor + " does not lie inside the tensor");
  }

  bool fits(const Guest& guest) const {
    const auto extent_of = [&](const std::string& name) {
      for (const LogicalDim& d : layout_.logical)
        if (d.name == name) return d.extent;
      return int64_t{0};
    };
    int64_t along = 1;
    for (const LogicalDim& d : guest.dims) {
      if (d.name == guest.axis) along = d.extent;
      if (d.extent > extent_of(d.name)) return false;
    }
    return guest.at + along <= extent_of(guest.axis);
  }

  Result<int> dim() {
    for (size_t j = 0; j < layout_.logical.size(); ++j)
      if (cursor_.accept_name(layout_.logical[j].name)) return static_cast<int>(j);
    return cursor_.unexpected("a dimension of the tensor");
  }

  Result<PhysicalAxis> axis() {
    TRY(cursor_.expect_symbol("["));
    PhysicalAxis result;
    while (!cursor_.at_symbol("]") && !cursor_.at_symbol("=")) {
      if (result.digits.size() == kMaxAxes) return cursor_.unexpected("at most 64 digits");
      Digit digit;
      digit.dim = TRY(dim());
      TRY(cursor_.expect_symbol("@"));
      digit.step = TRY(number(1, "a step"));
      TRY(cursor_.expect_symbol(":"));
      digit.extent = TRY(number(1, "an extent"));
      result.digits.push_back(digit);
    }
    if (result.digits.empty()) return cursor_.unexpected("a digit such as h@1:56");
    result.name = layout_.logical[static_cast<size_t>(result.digits[0].dim)].name;
    if (cursor_.accept_symbol("=")) result.name = TRY(cursor_.expect_name("the axis's name"));
    TRY(cursor_.expect_symbol("]"));
    return result;
  }

  Result<void> offsets() {
    do {
      const auto j = static_cast<size_t>(TRY(dim()));
      TRY(cursor_.expect_symbol("="));
      layout_.offsets[j] = TRY(number(std::numeric_limits<int64_t>::min(), "an offset"));
    } while (cursor_.peek().kind == TokenKind::name && !cursor_.at_name("holds") &&
             !cursor_.at_name("times"));
    return {};
  }

  Result<int64_t> times() {
    const Token token = cursor_.peek();
    const int64_t value = TRY(number(1, "a power of two"));
    if (std::has_single_bit(static_cast<uint64_t>(value))) return value;
    return cursor_.fail_at(token, "found " + std::to_string(value) + ", expected a power of two");
  }

  Result<void> check_size(const Token& start) {
    int64_t logical = 1;
    int64_t stored = 1;
    bool fits = true;
    for (const LogicalDim& d : layout_.logical)
      fits = fits && !__builtin_mul_overflow(logical, d.extent, &logical);
    for (const PhysicalAxis& axis : layout_.axes)
      for (const Digit& digit : axis.digits)
        fits = fits && !__builtin_mul_overflow(stored, digit.extent, &stored);
    if (fits && logical <= kMaxElements && stored <= kMaxElements) return {};
    return cursor_.fail_at(start, "the tensor has more than 2^48 elements");
  }

  Cursor& cursor_;
  Layout layout_;
};

}  // namespace

std::string print(const Layout& layout, const std::string& tensor) {
  std::string text = tensor + print_dims(layout.logical) + " as";
  for (const PhysicalAxis& axis : layout.axes) text += " " + print_axis(layout, axis);
  bool first = true;
  for (size_t j = 0; j < layout.logical.size(); ++j) {
    if (layout.offsets[j] == 0) continue;
    text += (first ? " offset " : " ") + layout.logical[j].name + "=" +
            std::to_string(layout.offsets[j]);
    first = false;
  }
  if (layout.times != 1) text += " times " + std::to_string(layout.times);
  for (const Guest& guest : layout.guests) {
    text += " holds " + guest.tensor + print_dims(guest.dims) + " at " + guest.axis + "=" +
            std::to_string(guest.at);
  }
  if (layout.scope != MemoryScope::global) text += " ; scope " + print(layout.scope);
  return text;
}

// `texture:weight`: words between colons.
Result<MemoryScope> parse_scope(Cursor& cursor) {
  const Token first = cursor.peek();
  std::string text = TRY(cursor.expect_name("a memory scope"));
  while (cursor.accept_symbol(":")) text += ":" + TRY(cursor.expect_name("a memory scope"));
  return cursor.located(first, parse_memory_scope(text));
}

Result<NamedLayout> parse_layout(Cursor& cursor) { return LayoutParser(cursor).layout(); }

Result<NamedLayout> parse_layout(std::string_view text) {
  Cursor cursor = TRY(Cursor::over(text, "layout"));
  NamedLayout named = TRY(parse_layout(cursor));
  if (!cursor.at_end()) return cursor.unexpected("the end of the layout");
  return named;
}

}  // namespace dovetail
