// SPDX-License-Identifier: Apache-2.0
#include "core/ir/verifier/verify_declarations.h"

#include <fmt/format.h>

#include <set>

#include "core/ir/lexer.h"

namespace dovetail {

Result<void> check_name(std::string_view kind, const std::string& name) {
  static const std::set<std::string, std::less<>> kReserved = {
      "div",    "mod",    "and", "for", "in",  "registers", "private", "local", "barrier",
      "buffer", "kernel", "min", "max", "exp", "tanh",      "erf",     "inf",   "nan"};
  const Result<Cursor> cursor = Cursor::over(name, "name");
  if (cursor && cursor->peek().kind == TokenKind::name && cursor->peek().text == name &&
      !kReserved.contains(name))
    return {};
  return fail(
      fmt::format("{} {} has a bad name, expected letters, digits, _ and .", kind, quoted(name)));
}

Result<void> check_extents(const std::string& what, const std::vector<int64_t>& extents) {
  constexpr int64_t kMaxElements = int64_t{1} << 48;
  int64_t elements = 1;
  for (const int64_t extent : extents) {
    if (extent < 1) return fail(fmt::format("{} has extent {}, expected at least 1", what, extent));
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > kMaxElements)
      return fail(fmt::format("{} has more than 2^48 elements", what));
  }
  return {};
}

Result<void> check_layout(const Buffer& buffer) {
  const Layout& layout = buffer.layout;
  const std::string what = "buffer " + buffer.name;
  std::vector<int64_t> extents = extents_of(layout.logical);
  TRY(check_extents("tensor of " + what, extents));
  if (layout.offsets.size() != layout.logical.size())
    return fail(fmt::format("{} has {} offsets, expected {}", what, layout.offsets.size(),
                            layout.logical.size()));
  extents.clear();
  for (const PhysicalAxis& axis : layout.axes) {
    for (const Digit& digit : axis.digits) {
      if (digit.dim < 0 || digit.dim >= static_cast<int>(layout.logical.size()))
        return fail(fmt::format("{}: axis {} counts dimension {}, expected 0..{}", what, axis.name,
                                digit.dim, static_cast<int>(layout.logical.size()) - 1));
      if (digit.step < 1)
        return fail(fmt::format("{}: axis {} has step {}", what, axis.name, digit.step));
      extents.push_back(digit.extent);
    }
  }
  return check_extents(what, extents);
}

}  // namespace dovetail
