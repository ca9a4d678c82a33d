// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/peel_loops.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ir/index/bounded_range.h"
#include "core/ir/index/range_arithmetic.h"
#include "primitives/lowering/passes/bounds.h"
#include "primitives/lowering/passes/rewrite_block.h"

namespace dovetail {
namespace {

constexpr int kMaxPeeledLoops = 2;  // nested ones; each makes copies of the body
constexpr int kEnoughPieces = 64;   // per kernel; then no other loop is cut

// The bound lower <= e < upper as one of -e.
Bound negated(const Bound& bound) { return {bound.expr * -1, 1 - bound.upper, 1 - bound.lower}; }

// The iterations [min, max) of the loop in which the bound holds for all iterations of the loops
// inside, or for some of them. nullopt when it depends on loops around.
enum class Holds : uint8_t { always, sometimes };

std::optional<Range> iterations(Holds how, const Bound& bound, const Loop& loop,
                                const Ranges& inner) {
  const int64_t c = bound.expr.coefficient(loop.variable);
  if (c == 0) return std::nullopt;
  if (c < 0) return iterations(how, negated(bound), loop, inner);
  const IndexExpr rest = bound.expr - IndexExpr::variable(loop.variable) * c;
  std::optional<Range> range =
      rest.mentions(loop.variable) ? std::nullopt : known_range(rest, inner);
  if (!range) return std::nullopt;
  if (how == Holds::sometimes) std::swap(range->min, range->max);
  const int64_t first = ceil_quotient(bound.lower - range->min, c);
  const int64_t last = floor_quotient(bound.upper - 1 - range->max, c) + 1;
  return Range{std::clamp<int64_t>(first, 0, loop.extent),
               std::clamp<int64_t>(last, 0, loop.extent)};
}

// Cuts the loops of one kernel.
class BoundPeeler {
 public:
  Block peeled(Block block, int budget) {
    if (budget == 0) return block;
    Block result;
    for (Statement& statement : block)
      if (auto* loop = std::get_if<Loop>(&statement.node))
        append(result, cut(std::move(*loop), budget, /*was_cut=*/false));
      else
        result.push_back(std::move(statement));
    return result;
  }

 private:
  // In a piece more bounds are decided than in the loop, so that it may be cut again where another
  // one starts or stops holding: the parts of a concatenation.
  Block cut(Loop loop, int budget, bool was_cut) {
    const std::optional<Range> holds = decided_iterations(loop);
    Block result;
    if (!holds) {
      around_[loop.variable] = {0, loop.extent - 1};
      loop.body = peeled(std::move(loop.body), was_cut ? budget - 1 : budget);
      around_.erase(loop.variable);
      result.push_back({std::move(loop)});
      return result;
    }
    const int64_t edges[] = {0, holds->min, holds->max, loop.extent};
    for (int piece = 0; piece < 3; ++piece) {
      const int64_t start = edges[piece], extent = edges[piece + 1] - start;
      if (extent == 0) continue;
      --pieces_left_;
      const IndexExpr at = IndexExpr::variable(loop.variable) + IndexExpr(start);
      Block part;
      part.push_back({piece_of(loop, extent, at)});
      for (Statement& statement : simplify_bounds(std::move(part), around_))
        append(result, cut(std::get<Loop>(std::move(statement.node)), budget, /*was_cut=*/true));
    }
    return result;
  }

  // The iterations in which a bound holds, if it never holds in the others, for all iterations of
  // the loops inside: the first such bound that does not hold everywhere.
  std::optional<Range> decided_iterations(const Loop& loop) const {
    std::optional<Range> holds;
    if (loop.kind != LoopKind::serial || !loop.bounds.empty() || loop.at || pieces_left_ <= 0)
      return holds;
    const Ranges inner = inner_ranges(loop.body);
    for_each_bound(loop.body, [&](const Bound& given) {
      if (holds) return;
      const Bound bound = without_division(given);
      if (bound.expr.coefficient(loop.variable) <= 0) return;
      const std::optional<Range> own = iterations(Holds::always, bound, loop, inner);
      if (!own || own->min >= own->max || own->max - own->min == loop.extent) return;
      if (iterations(Holds::sometimes, bound, loop, inner) == own) holds = own;
    });
    return holds;
  }

  int pieces_left_ = kEnoughPieces;
  Ranges around_;  // the loops around
};

bool has_clipped_loop(const Block& block) {
  return std::ranges::any_of(block, [](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr && (!loop->bounds.empty() || has_clipped_loop(loop->body));
  });
}

constexpr int64_t kMaxStatements = 2816;  // statements of a kernel, unrolled
constexpr int64_t kMaxBorders = 8;        // iterations of a loop that become pieces of their own

// Number of statements of the block once it is unrolled.
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
  bool cuts_borders;  // cut border pieces of an outer loop again, at loops inside
  bool cuts_windows;  // cut window loops in border pieces, so that no mask is left
};
constexpr Effort kEfforts[] = {{true, true}, {false, true}, {false, false}};  // the best first

class TilePeeler {
 public:
  TilePeeler(const Program& program, const Effort& effort) : program_(program), effort_(effort) {}

  // Whether anything was cut.
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
  // The iterations in which every bound that this loop decides holds; nullopt when these are all,
  // or when too many pieces would remain.
  std::optional<Range> whole_iterations(const Loop& loop) const {
    const bool cuttable = loop.kind == LoopKind::serial || loop.kind == LoopKind::parallel;
    if (!cuttable || !loop.bounds.empty() || loop.at) return std::nullopt;
    const Ranges inner = inner_ranges(loop.body);
    Range whole{0, loop.extent};
    for (const Bound& bound : all_zero_bounds(loop.body, program_)) {
      const std::optional<Range> own = iterations(Holds::always, bound, loop, inner);
      if (!own) continue;
      whole = {std::max(whole.min, own->min), std::min(whole.max, own->max)};
    }
    if (whole.min >= whole.max) whole = {loop.extent, loop.extent};  // each iteration by itself
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

  // A parallel loop is cut inside, because its iterations are distributed together, and each
  // selects its piece.
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
    if (is_cut) kernel.body = BoundPeeler().peeled(std::move(kernel.body), kMaxPeeledLoops);
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
