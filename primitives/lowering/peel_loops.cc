// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/peel_loops.h"

#include <algorithm>
#include <optional>

#include "core/ir/index/bounded_range.h"
#include "core/ir/index/range_arithmetic.h"
#include "primitives/lowering/bounds.h"
#include "primitives/lowering/rewrite_block.h"

namespace dovetail {
namespace {

constexpr int kMaxPeeledLoops = 2;  // nested ones; each makes up to three copies of the body

// The bound lower <= e < upper is written as one of -e.
Bound negated(const Bound& bound) { return {bound.expr * -1, 1 - bound.upper, 1 - bound.lower}; }

// The bound holds in the iterations [min, max) of the loop, whatever the loops inside do; nothing
// when loops around it have a say.
std::optional<Range> holding_iterations(const Bound& bound, const Loop& loop, const Ranges& inner) {
  const int64_t c = bound.expr.coefficient(loop.variable);
  if (c == 0) return std::nullopt;
  if (c < 0) return holding_iterations(negated(bound), loop, inner);
  const IndexExpr rest = bound.expr - IndexExpr::variable(loop.variable) * c;
  const std::optional<Range> range =
      rest.mentions(loop.variable) ? std::nullopt : known_range(rest, inner);
  if (!range) return std::nullopt;
  const int64_t first = ceil_quotient(bound.lower - range->min, c);
  const int64_t last = floor_quotient(bound.upper - 1 - range->max, c) + 1;
  return Range{std::clamp<int64_t>(first, 0, loop.extent),
               std::clamp<int64_t>(last, 0, loop.extent)};
}

// It gives the same, but nothing unless the bound depends on this loop alone and grows with it.
std::optional<Range> holding_iterations(const Bound& given, const Loop& loop) {
  const Bound bound = without_division(given);
  if (bound.expr.coefficient(loop.variable) <= 0) return std::nullopt;
  return holding_iterations(bound, loop, {});
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

constexpr int64_t kMaxStatements = 2048;  // of a kernel, written out
constexpr int64_t kMaxBorders = 8;        // iterations of a loop that become pieces of their own

// The block is written out to so many statements.
int64_t written_out(const Block& block) {
  int64_t statements = 0;
  for (const Statement& statement : block) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) {
      ++statements;
    } else {
      const int64_t times = loop->kind == LoopKind::unrolled ? loop->extent : 1;
      statements += std::min(written_out(loop->body), kMaxStatements + 1) *
                    std::min(times, kMaxStatements + 1);
    }
  }
  return statements;
}

struct Effort {
  bool cuts_borders;  // of an outer loop's border pieces, by the loops inside
  bool cuts_windows;  // in border pieces, so that no mask is left
};
constexpr Effort kEfforts[] = {{true, true}, {false, true}, {false, false}};  // the best first

class TilePeeler {
 public:
  TilePeeler(const Program& program, const Effort& effort) : program_(program), effort_(effort) {}

  // It says whether anything was cut.
  bool has_peeled() const { return has_peeled_; }

  Block peel(Block block, bool in_border) {
    Block result;
    for (Statement& statement : block) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr) {
        result.push_back(std::move(statement));
        continue;
      }
      const bool cuts =
          declares_tile(loop->body) ? effort_.cuts_borders || !in_border : effort_.cuts_windows;
      if (const auto whole = cuts ? whole_iterations(*loop) : std::nullopt) {
        has_peeled_ = true;
        Block parts = pieces(*loop, *whole, in_border);
        if (loop->kind != LoopKind::parallel) {
          append(result, std::move(parts));
          continue;
        }
        loop->body = std::move(parts);
      } else {
        const bool once = loop->extent == 1 && loop->kind == LoopKind::serial;
        has_peeled_ |= once;
        if (once) loop->body = with_variable(std::move(loop->body), loop->variable, 0);
        loop->body = peel(std::move(loop->body), in_border);
      }
      result.push_back(std::move(statement));
    }
    return result;
  }

 private:
  // In these iterations every bound that this loop decides holds; nothing when that is everywhere,
  // or too many pieces would remain.
  std::optional<Range> whole_iterations(const Loop& loop) const {
    const bool cuttable = loop.kind == LoopKind::serial || loop.kind == LoopKind::parallel;
    if (!cuttable || !loop.bounds.empty() || loop.at) return std::nullopt;
    const Ranges inner = inner_ranges(loop.body);
    Range whole{0, loop.extent};
    for (const Bound& bound : all_zero_bounds(loop.body, program_)) {
      const std::optional<Range> own = holding_iterations(bound, loop, inner);
      if (!own) continue;
      whole = {std::max(whole.min, own->min), std::min(whole.max, own->max)};
    }
    if (whole.min >= whole.max) whole = {loop.extent, loop.extent};  // each by itself
    const int64_t borders = whole.min + loop.extent - whole.max;
    if (loop.extent == 1 || borders == 0 || borders > kMaxBorders) return std::nullopt;
    return whole;
  }

  Block pieces(const Loop& loop, const Range& whole, bool in_border) {
    Block result;
    for (int64_t start = 0; start < loop.extent;) {
      const bool border = start < whole.min || start >= whole.max;
      const Range part{start, border ? start + 1 : whole.max};
      Loop piece =
          loop.kind == LoopKind::parallel ? shared_piece(loop, part) : own_piece(loop, part);
      piece.body = peel(std::move(piece.body), in_border || border);
      result.push_back({std::move(piece)});
      start = part.max;
    }
    return result;
  }

  static Loop own_piece(const Loop& loop, const Range& part) {
    const int64_t extent = part.max - part.min;
    const IndexExpr first(part.min);
    return piece_of(loop, extent, extent == 1 ? first : IndexExpr::variable(loop.variable) + first);
  }

  // A parallel loop is cut inside, because its iterations are shared out together, and each finds
  // its piece.
  static Loop shared_piece(const Loop& loop, const Range& part) {
    Loop piece{loop.variable + ".piece", 1, LoopKind::serial, loop.thread, loop.body};
    const IndexExpr at = IndexExpr::variable(loop.variable);
    piece.bounds = {{at + IndexExpr::variable(piece.variable), part.min, part.max}};
    if (part.max - part.min == 1)
      piece.body = with_variable_in_bounds(std::move(piece.body), loop.variable, part.min);
    return piece;
  }

  const Program& program_;
  const Effort effort_;
  bool has_peeled_ = false;
};

}  // namespace

// A kernel that is neither cut here nor was clipped before has nothing to simplify.
Program peel_bounds(Program program) {
  for (Kernel& kernel : program.kernels) {
    const bool is_cut = !declares_tile(kernel.body);
    if (is_cut) kernel.body = peeled(std::move(kernel.body), kMaxPeeledLoops);
    if (is_cut || has_clipped_loop(kernel.body))
      kernel.body = simplify_bounds(std::move(kernel.body));
  }
  return program;
}

Program peel_tiles(Program program) {
  for (Kernel& kernel : program.kernels) {
    if (!declares_tile(kernel.body)) continue;
    for (const Effort& effort : kEfforts) {
      TilePeeler peeler(program, effort);
      Block peeled = peeler.peel(kernel.body, false);
      if (written_out(peeled) > kMaxStatements) continue;
      if (peeler.has_peeled()) kernel.body = simplify_bounds(std::move(peeled));
      break;
    }
  }
  return program;
}

}  // namespace dovetail
