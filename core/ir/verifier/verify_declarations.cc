// SPDX-License-Identifier: Apache-2.0
#include "core/ir/verifier/verify_declarations.h"

#include <algorithm>
#include <bit>
#include <set>

#include "core/base/fail.h"
#include "core/ir/lexer.h"
#include "core/ir/program/program_words.h"

namespace dovetail {

Result<void> check_name(std::string_view kind, const std::string& name) {
  static const std::set<std::string, std::less<>> kReserved = {
      "div",    "mod",    "and", "for", "in",  "registers", "private", "local", "barrier",
      "buffer", "kernel", "min", "max", "exp", "tanh",      "erf",     "inf",   "nan"};
  const Result<Cursor> cursor = Cursor::over(name, "name");
  if (cursor && cursor->peek().kind == TokenKind::name && cursor->peek().text == name &&
      !kReserved.contains(name))
    return {};
  return fail("{} {} has a bad name, expected letters, digits, _ and .", kind, quoted(name));
}

Result<void> check_extents(const std::string& what, const std::vector<int64_t>& extents) {
  constexpr int64_t kMaxElements = int64_t{1} << 48;
  int64_t elements = 1;
  for (const int64_t extent : extents) {
    if (extent < 1) return fail("{} has extent {}, expected at least 1", what, extent);
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > kMaxElements)
      return fail("{} has more than 2^48 elements", what);
  }
  return {};
}

Result<void> check_layout(const Buffer& buffer) {
  const Layout& layout = buffer.layout;
  const std::string what = "buffer " + buffer.name;
  std::vector<int64_t> extents = extents_of(layout.logical);
  TRY(check_extents("tensor of " + what, extents));
  if (layout.offsets.size() != layout.logical.size())
    return fail("{} has {} offsets, expected {}", what, layout.offsets.size(),
                layout.logical.size());
  if (layout.times < 1 || !std::has_single_bit(static_cast<uint64_t>(layout.times)))
    return fail("{} is stored times {}, expected a power of two", what, layout.times);
  if (layout.times != 1 && buffer.role != BufferRole::constant)
    return fail("{} is stored times {}, expected 1 of what is no constant", what, layout.times);
  extents.clear();
  for (const PhysicalAxis& axis : layout.axes) {
    for (const Digit& digit : axis.digits) {
      if (digit.dim < 0 || digit.dim >= static_cast<int>(layout.logical.size()))
        return fail("{}: axis {} counts dimension {}, expected 0..{}", what, axis.name, digit.dim,
                    static_cast<int>(layout.logical.size()) - 1);
      if (digit.step < 1) return fail("{}: axis {} has step {}", what, axis.name, digit.step);
      extents.push_back(digit.extent);
    }
  }
  return check_extents(what, extents);
}

namespace {

std::string_view noun(const Statement& statement) {
  if (std::holds_alternative<Loop>(statement.node)) return "loop";
  const auto* tile = std::get_if<ScopedTile>(&statement.node);
  return tile == nullptr ? "barrier" : kTileNouns[static_cast<size_t>(tile->scope)];
}

Result<void> check_innermost(const Loop& loop) {
  for (const Statement& statement : loop.body)
    if (!std::holds_alternative<Store>(statement.node))
      return fail("vectorized loop {} is not innermost: it holds a {}", loop.variable,
                  noun(statement));
  return {};
}

Result<void> check_outermost(const Loop& loop, const std::vector<const Loop*>& around,
                             size_t siblings) {
  for (const Loop* outer : around)
    if (outer->kind != LoopKind::parallel)
      return fail("parallel loop {} is inside loop {}; parallel loops are outermost", loop.variable,
                  outer->variable);
  if (siblings > 1)
    return fail(
        "parallel loop {} is not alone in its block: what is beside it would "
        "run once per thread",
        loop.variable);
  return {};
}

Result<void> check_bound_once(const Loop& loop, const std::vector<const Loop*>& around) {
  for (const Loop* outer : around)
    if (outer->kind == LoopKind::bound && outer->thread == loop.thread)
      return fail("loops {} and {} are both bound to {}", outer->variable, loop.variable,
                  print(loop.thread));
  return {};
}

}  // namespace

Result<void> check_kind(const Loop& loop, const std::vector<const Loop*>& around, size_t siblings) {
  if (loop.kind == LoopKind::vectorized) return check_innermost(loop);
  if (loop.kind == LoopKind::parallel) return check_outermost(loop, around, siblings);
  if (loop.kind == LoopKind::bound) return check_bound_once(loop, around);
  return {};
}

Result<void> check_may_be_clipped(const Loop& loop) {
  if (loop.kind == LoopKind::serial) return {};
  return fail("{} loop {} is clipped; only serial loops can be",
              kLoopKinds[static_cast<size_t>(loop.kind)], loop.variable);
}

Result<void> check_clips_a_stretch(const Loop& loop, const Bound& bound) {
  const bool hidden = std::ranges::any_of(bound.expr.terms(), [&](const IndexTerm& term) {
    return term.atom.inner && term.atom.inner->mentions(loop.variable);
  });
  if (bound.expr.coefficient(loop.variable) != 0 && !hidden) return {};
  return fail("loop {} is clipped by {}, which does not move with it by a step", loop.variable,
              print(bound.expr));
}

}  // namespace dovetail
