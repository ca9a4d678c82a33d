// SPDX-License-Identifier: Apache-2.0
//
// X[n=1, i=64] as [n@1:1] [i@16:4] [i@1:16] offset i=-1 ; scope texture
//
// An axis is printed as its digits, `dim@step:extent`, then `=name` when its name is not the one
// that splitting gives by itself.
#include <cctype>
#include <limits>

#include "core/base/check.h"
#include "core/ir/layout.h"

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

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<NamedLayout> whole() {
    NamedLayout named;
    named.tensor = TRY(name("a tensor's name"));
    TRY(dims(named.layout));
    if (!take_word("as")) return unexpected("'as'");
    while (take('[')) named.layout.axes.push_back(TRY(axis(named.layout)));
    if (take_word("offset")) TRY(offsets(named.layout));
    if (take(';')) TRY(scope(named.layout));
    if (skip() < text_.size()) return unexpected("the end of the layout");
    return named;
  }

 private:
  size_t skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_;
  }
  bool take(char c) {
    if (skip() >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  }
  std::string_view peek_name() {
    size_t end = skip();
    while (end < text_.size() && in_name(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  bool take_word(std::string_view word) {
    if (peek_name() != word) return false;
    at_ += word.size();
    return true;
  }
  Unexpected unexpected(const std::string& expected) {
    const std::string found =
        at_ < text_.size() ? "'" + std::string(text_.substr(at_, 12)) + "'" : "the end";
    return fail("layout, column " + std::to_string(at_ + 1) + ": found " + found + ", expected " +
                expected);
  }
  Result<std::string> name(const std::string& what) {
    const std::string_view found = peek_name();
    if (found.empty() || std::isdigit(static_cast<unsigned char>(found[0])))
      return unexpected(what);
    at_ += found.size();
    return std::string(found);
  }
  Result<int64_t> number() {
    const bool negative = take('-');
    const size_t start = skip();
    int64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (value > (int64_t{1} << 40)) break;
      value = value * 10 + (text_[at_] - '0');
    }
    if (at_ == start || value > (int64_t{1} << 40)) return unexpected("a number of at most 2^40");
    return negative ? -value : value;
  }
  Result<int> dim(const Layout& layout) {
    const size_t start = skip();
    const std::string found = TRY(name("a dimension's name"));
    for (size_t j = 0; j < layout.logical.size(); ++j) {
      if (layout.logical[j].name == found) return static_cast<int>(j);
    }
    at_ = start;
    return unexpected("a dimension of the tensor");
  }

  Result<void> dims(Layout& layout) {
    if (!take('[')) return unexpected("'['");
    while (!take(']')) {
      if (!layout.logical.empty() && !take(',')) return unexpected("',' or ']'");
      LogicalDim d;
      d.name = TRY(name("a dimension's name"));
      if (!take('=')) return unexpected("'='");
      d.extent = TRY(number());
      if (d.extent < 1) return unexpected("an extent of at least 1");
      layout.logical.push_back(std::move(d));
    }
    layout.offsets.assign(layout.logical.size(), 0);
    return {};
  }
  Result<PhysicalAxis> axis(const Layout& layout) {
    PhysicalAxis result;
    while (!take(']')) {
      if (take('=')) {
        result.name = TRY(name("an axis name"));
        continue;
      }
      Digit digit;
      digit.dim = TRY(dim(layout));
      if (!take('@')) return unexpected("'@' and a step");
      digit.step = TRY(number());
      if (!take(':')) return unexpected("':' and an extent");
      digit.extent = TRY(number());
      if (digit.step < 1 || digit.extent < 1)
        return unexpected("a step and an extent of at least 1");
      result.digits.push_back(digit);
    }
    if (result.digits.empty()) return unexpected("at least one digit in an axis");
    if (result.name.empty()) result.name = layout.logical[result.digits[0].dim].name;
    return result;
  }
  Result<void> offsets(Layout& layout) {
    while (skip() < text_.size() && text_[at_] != ';') {
      const int j = TRY(dim(layout));
      if (!take('=')) return unexpected("'='");
      layout.offsets[j] = TRY(number());
    }
    return {};
  }
  Result<void> scope(Layout& layout) {
    if (!take_word("scope")) return unexpected("'scope'");
    size_t end = skip();
    while (end < text_.size() && (in_name(text_[end]) || text_[end] == ':')) ++end;
    layout.scope = TRY(parse_memory_scope(text_.substr(at_, end - at_)));
    at_ = end;
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::string print(const Layout& layout, const std::string& tensor) {
  std::string text = tensor + "[";
  for (size_t j = 0; j < layout.logical.size(); ++j) {
    text += (j > 0 ? ", " : "") + layout.logical[j].name + "=" +
            std::to_string(layout.logical[j].extent);
  }
  text += "] as";
  for (const PhysicalAxis& axis : layout.axes) text += " " + print_axis(layout, axis);
  bool first = true;
  for (size_t j = 0; j < layout.logical.size(); ++j) {
    if (layout.offsets[j] == 0) continue;
    text += (first ? " offset " : " ") + layout.logical[j].name + "=" +
            std::to_string(layout.offsets[j]);
    first = false;
  }
  if (layout.scope != MemoryScope::global) text += " ; scope " + print(layout.scope);
  return text;
}

Result<NamedLayout> parse_layout(std::string_view text) { return Reader(text).whole(); }

}  // namespace dovetail
