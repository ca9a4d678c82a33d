// SPDX-License-Identifier: Apache-2.0
#include "core/ir/verifier/verify_loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ir/program/program_words.h"

namespace dovetail {
namespace {

std::string_view noun(const Statement& statement) {
  if (std::holds_alternative<Loop>(statement.node)) return "loop";
  const auto* tile = std::get_if<ScopedTile>(&statement.node);
  return tile == nullptr ? "barrier" : kTileNouns[static_cast<size_t>(tile->scope)];
}

Result<void> check_innermost(const Loop& loop) {
  for (const Statement& statement : loop.body) {
    if (!std::holds_alternative<Store>(statement.node))
      return fail(fmt::format("vectorized loop {} is not innermost: it holds a {}", loop.variable,
                              noun(statement)));
  }
  return {};
}

Result<void> check_outermost(const Loop& loop, const std::vector<const Loop*>& around,
                             size_t siblings) {
  for (const Loop* outer : around) {
    if (outer->kind != LoopKind::parallel)
      return fail(fmt::format("parallel loop {} is inside loop {}; parallel loops are outermost",
                              loop.variable, outer->variable));
  }
  if (siblings > 1)
    return fail(
        fmt::format("parallel loop {} is not alone in its block: what is beside it would "
                    "run once per thread",
                    loop.variable));
  return {};
}

Result<void> check_bound_once(const Loop& loop, const std::vector<const Loop*>& around) {
  for (const Loop* outer : around) {
    if (outer->kind == LoopKind::bound && outer->thread == loop.thread)
      return fail(fmt::format("loops {} and {} are both bound to {}", outer->variable,
                              loop.variable, print(loop.thread)));
  }
  return {};
}

}  // namespace

Result<void> check_kind(const Loop& loop, const std::vector<const Loop*>& around, size_t siblings) {
  switch (loop.kind) {
    case LoopKind::vectorized:
      return check_innermost(loop);
    case LoopKind::parallel:
      return check_outermost(loop, around, siblings);
    case LoopKind::bound:
      return check_bound_once(loop, around);
    case LoopKind::serial:
    case LoopKind::unrolled:
      return {};
  }
  return {};
}

Result<void> check_may_be_clipped(const Loop& loop) {
  if (loop.kind == LoopKind::serial) return {};
  return fail(fmt::format("{} loop {} is clipped; only serial loops can be",
                          kLoopKinds[static_cast<size_t>(loop.kind)], loop.variable));
}

Result<void> check_clips_a_stretch(const Loop& loop, const Bound& bound) {
  const bool hidden = std::ranges::any_of(bound.expr.terms(), [&](const IndexTerm& term) {
    return term.atom.inner && term.atom.inner->mentions(loop.variable);
  });
  if (bound.expr.coefficient(loop.variable) != 0 && !hidden) return {};
  return fail(fmt::format("loop {} is clipped by {}, which does not move with it by a step",
                          loop.variable, print(bound.expr)));
}

}  // namespace dovetail
