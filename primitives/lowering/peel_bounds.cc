// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/peel_bounds.h"

#include <algorithm>
#include <optional>

#include "core/ir/index/bounded_range.h"
#include "core/ir/index/range_arithmetic.h"
#include "primitives/lowering/rewrite_block.h"
#include "primitives/lowering/simplify_bounds.h"

namespace dovetail {
namespace {

constexpr int kMaxPeeledLoops = 2;  // nested ones; each makes up to three copies of the body

// Iterations [first, last) of the loop in which the bound holds, if it depends on this loop alone.
std::optional<Range> holding_iterations(const Bound& given, const Loop& loop) {
  const Bound bound = without_division(given);
  const IndexExpr& e = bound.expr;
  if (!e.is_affine() || e.terms().size() != 1) return std::nullopt;
  const int64_t c = e.coefficient(loop.variable);
  if (c <= 0) return std::nullopt;
  const auto clip = [&](int64_t v) { return std::clamp<int64_t>(v, 0, loop.extent); };
  return Range{clip(ceil_quotient(bound.lower - e.constant(), c)),
               clip(ceil_quotient(bound.upper - e.constant(), c))};
}

Block peeled(Block block, int budget);

Block pieces(const Loop& loop, const Range& holds, int budget) {
  Block result;
  const int64_t edges[] = {0, holds.min, std::max(holds.min, holds.max), loop.extent};
  for (int piece = 0; piece < 3; ++piece) {
    const int64_t start = edges[piece], extent = edges[piece + 1] - start;
    if (extent == 0) continue;
    const IndexExpr shifted = IndexExpr::variable(loop.variable) + IndexExpr(start);
    Loop part = piece_of(loop, extent, shifted);
    part.body = peeled(std::move(part.body), budget - 1);
    result.push_back({std::move(part)});
  }
  return result;
}

// The iterations in which the first bound that this loop decides alone holds.
std::optional<Range> decided_iterations(const Loop& loop) {
  std::optional<Range> holds;
  if (loop.kind != LoopKind::serial || !loop.bounds.empty() || loop.at) return holds;
  for_each_bound(loop.body, [&](const Bound& bound) {
    if (!holds) holds = holding_iterations(bound, loop);
  });
  return holds;
}

Block peeled(Block block, int budget) {
  if (budget == 0) return block;
  Block result;
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) {
      result.push_back(std::move(statement));
    } else if (const std::optional<Range> holds = decided_iterations(*loop)) {
      append(result, pieces(*loop, *holds, budget));
    } else {
      loop->body = peeled(std::move(loop->body), budget);
      result.push_back(std::move(statement));
    }
  }
  return result;
}

bool has_clipped_loop(const Block& block) {
  return std::ranges::any_of(block, [](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr && (!loop->bounds.empty() || has_clipped_loop(loop->body));
  });
}

}  // namespace

// What is neither cut here nor clipped before is as simple as it was.
Program peel_bounds(Program program) {
  for (Kernel& kernel : program.kernels) {
    const bool is_cut = !declares_tile(kernel.body);
    if (is_cut) kernel.body = peeled(std::move(kernel.body), kMaxPeeledLoops);
    if (is_cut || has_clipped_loop(kernel.body))
      kernel.body = simplify_bounds(std::move(kernel.body));
  }
  return program;
}

}  // namespace dovetail
