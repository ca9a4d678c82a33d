// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/passes/cut_tails.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/ir/index/range_arithmetic.h"
#include "core/ir/value/value_text.h"
#include "primitives/lowering/passes/rewrite_block.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxPieces = 16;  // pieces after the whole rounds of a loop

bool is_shared(const Loop& loop) {
  return loop.kind == LoopKind::parallel || loop.kind == LoopKind::bound;
}

// Whether a loop of this kind has no bounds when lowering is done.
bool must_be_cut(const Loop& loop) { return loop.kind != LoopKind::serial; }

bool has_bound_loop(const Block& block) {
  return any_statement(block, [](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr && loop->kind == LoopKind::bound;
  });
}

bool has_loop(const Block& block, const std::string& variable) {
  return any_statement(block, [&](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr && loop->variable == variable;
  });
}

bool has_barrier(const Block& block) {
  return any_statement(block, [](const Statement& statement) {
    return std::holds_alternative<Barrier>(statement.node);
  });
}

bool has_bound(const Loop& loop, const Bound& bound) {
  return std::ranges::find(loop.bounds, bound) != loop.bounds.end();
}

bool has_bound(const Block& block, const Bound& bound) {
  return any_statement(block, [&](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    return loop != nullptr && has_bound(*loop, bound);
  });
}

// Whether the block stores to a buffer, or to a tile that is declared around it.
bool stores_outside(const Block& block) {
  std::set<std::string> inside;
  bool found = false;
  for_each_statement(block, [&](const Statement& statement) {
    if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) inside.insert(tile->name);
    if (const auto* store = std::get_if<Store>(&statement.node))
      found |= !inside.contains(store->target);
  });
  return found;
}

// A bound inside the block that depends on the variable and must become a number. Work-items check
// theirs at run time.
const Bound* bound_inside(const Block& block, const std::string& variable) {
  const Bound* found = nullptr;
  for_each_statement(block, [&](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr || !must_be_cut(*loop) || loop->kind == LoopKind::bound) return;
    for (const Bound& bound : loop->bounds)
      if (found == nullptr && bound.expr.mentions(variable)) found = &bound;
  });
  return found;
}

Block without_loop_bound(Block block, const Bound& bound) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    std::erase(loop->bounds, bound);
    loop->body = without_loop_bound(std::move(loop->body), bound);
  }
  return block;
}

// The statements that are left where the bound holds in no iteration.
Block without_loops_of(Block block, const Bound& bound) {
  std::erase_if(block, [&](Statement& statement) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) return false;
    if (has_bound(*loop, bound)) return true;
    loop->body = without_loops_of(std::move(loop->body), bound);
    return loop->body.empty();
  });
  return block;
}

// Replaces the variable by a number in the bounds of loops, which cut them, but not in indices and
// their bounds: a proof that an index is inside needs both over the same variable.
Block with_number_in_loops(Block block, const std::string& variable, int64_t number) {
  for (Statement& statement : block) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    for (Bound& bound : loop->bounds)
      bound.expr = substitute(bound.expr, {{variable, IndexExpr(number)}}, {});
    loop->body = with_number_in_loops(std::move(loop->body), variable, number);
  }
  return block;
}

// The iterations from `first` on; bounds of the loop itself move with its variable.
Loop piece_from(const Loop& loop, int64_t first, int64_t extent, const IndexExpr& at) {
  Loop piece = piece_of(loop, extent, at);
  for (Bound& bound : piece.bounds)
    bound.expr = substitute(
        bound.expr, {{loop.variable, IndexExpr::variable(loop.variable) + IndexExpr(first)}}, {});
  return piece;
}

// The piece as statements; one round needs no loop unless it declares tiles.
Block statements_of(Loop piece) {
  const bool is_plain = piece.extent == 1 && piece.bounds.empty() && !piece.at &&
                        std::ranges::none_of(piece.body, [](const Statement& statement) {
                          return std::holds_alternative<ScopedTile>(statement.node);
                        });
  if (is_plain) return std::move(piece.body);
  Block result;
  result.push_back({std::move(piece)});
  return result;
}

// The bound holds in the iterations [0, whole) for all iterations of the loops inside; from
// iteration `some` on it never holds, where what the bound does not limit still runs.
struct Rounds {
  int64_t whole = 0, some = 0;
};

class TailCutter {
 public:
  Result<Block> cut(Block block) {
    Block result;
    for (Statement& statement : block) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr)
        result.push_back(std::move(statement));
      else
        append(result, TRY(cut_loop(std::move(*loop))));
    }
    return result;
  }

 private:
  Result<Block> cut_loop(Loop loop) {
    TRY(take_own_bounds(loop));
    if (loop.extent == 0) return Block();
    const Bound* inside = bound_inside(loop.body, loop.variable);
    if (inside != nullptr) return cut_at(std::move(loop), Bound(*inside));
    loop.body = TRY(cut(std::move(loop.body)));
    Block result;
    result.push_back({std::move(loop)});
    return result;
  }

  // Shortens a loop by the bounds that depend on it alone, because other variables are numbers.
  static Result<void> take_own_bounds(Loop& loop) {
    if (!must_be_cut(loop) || loop.bounds.empty()) return {};
    if (loop.kind == LoopKind::bound) return ask_inside(loop);
    for (const Bound& bound : std::exchange(loop.bounds, {})) {
      const int64_t step = bound.expr.coefficient(loop.variable);
      const IndexExpr first = bound.expr - IndexExpr::variable(loop.variable) * step;
      if (!first.is_constant() || step <= 0 || first.constant() < bound.lower) {
        return refuse("loop " + loop.variable,
                      "its end is where {} fails; no cut makes that a number",
                      print_bounds({bound}));
      } else {
        loop.extent = std::clamp<int64_t>(ceil_quotient(bound.upper - first.constant(), step), 0,
                                          loop.extent);
      }
    }
    return {};
  }

  // Work-items beyond the end skip the body.
  static Result<void> ask_inside(Loop& loop) {
    if (has_barrier(loop.body))
      return refuse("loop " + loop.variable,
                    "work-items beyond its end would miss a barrier; expected a factor that "
                    "divides the loop");
    Loop once{loop.variable + ".there", 1, LoopKind::serial, loop.thread, std::move(loop.body)};
    for (const Bound& bound : std::exchange(loop.bounds, {}))
      once.bounds.push_back(
          {bound.expr + IndexExpr::variable(once.variable), bound.lower, bound.upper});
    loop.body.clear();
    loop.body.push_back({std::move(once)});
    return {};
  }

  static Result<Rounds> rounds_of(const Loop& loop, const Bound& bound) {
    const int64_t step = bound.expr.coefficient(loop.variable);
    const IndexExpr rest = bound.expr - IndexExpr::variable(loop.variable) * step;
    const std::optional<Range> range =
        rest.mentions(loop.variable) ? std::nullopt : known_range(rest, inner_ranges(loop.body));
    if (step <= 0 || !range || range->min < bound.lower)
      return refuse("loop " + loop.variable, "{} cannot be cut by it", print_bounds({bound}));
    Rounds rounds{floor_quotient(bound.upper - 1 - range->max, step) + 1,
                  floor_quotient(bound.upper - 1 - range->min, step) + 1};
    rounds.some = std::clamp<int64_t>(rounds.some, 0, loop.extent);
    rounds.whole = std::clamp<int64_t>(rounds.whole, 0, rounds.some);
    if (rounds.some - rounds.whole > kMaxPieces)
      return refuse("loop " + loop.variable,
                    "{} of its rounds are cut short, expected the loop outside those that it was "
                    "split from",
                    rounds.some - rounds.whole);
    return rounds;
  }

  Result<Block> cut_at(Loop loop, const Bound& bound) {
    const Rounds rounds = TRY(rounds_of(loop, bound));
    if (rounds.whole == loop.extent) {
      loop.body = without_loop_bound(std::move(loop.body), bound);
      return cut_loop(std::move(loop));
    }
    if (is_shared(loop)) {
      const int64_t extent = loop.extent;
      if (has_barrier(loop.body) && is_over_work_items(loop))
        return refuse("loop " + loop.variable,
                      "work-items in its last round would miss a barrier; expected a factor that "
                      "divides the loop");
      loop.body = cut_inside(std::move(loop.body), {loop.variable, extent, rounds, bound});
      return cut_loop(std::move(loop));
    }
    const IndexExpr variable = IndexExpr::variable(loop.variable);
    Block pieces;
    if (rounds.whole > 0) {
      Loop piece = piece_from(loop, 0, rounds.whole, variable);
      piece.body = without_loop_bound(std::move(piece.body), bound);
      append(pieces, TRY(cut_loop(std::move(piece))));
    }
    for (int64_t round = rounds.whole; round < rounds.some; ++round)
      append(pieces, TRY(cut(statements_of(piece_from(loop, round, 1, IndexExpr(round))))));
    loop.body = without_loops_of(std::move(loop.body), bound);
    const int64_t rest = loop.extent - rounds.some;
    if (rest > 0 && stores_outside(loop.body))
      append(pieces,
             TRY(cut_loop(piece_from(loop, rounds.some, rest, variable + IndexExpr(rounds.some)))));
    return pieces;
  }

  // How to cut a loop that stays one loop.
  struct Cut {
    std::string variable;
    int64_t extent = 0;
    Rounds rounds;
    Bound bound;
  };

  // A kernel has one loop per thread axis: the pieces go inside all loops bound to one.
  static Block cut_inside(Block body, const Cut& cut) {
    if (!has_bound_loop(body)) return parts_of(body, cut);
    for (Statement& statement : body)
      if (auto* loop = std::get_if<Loop>(&statement.node);
          loop != nullptr && has_bound(loop->body, cut.bound))
        loop->body = cut_inside(std::move(loop->body), cut);
    return body;
  }

  // One piece per set of rounds, each guarded so that only its rounds run it.
  static Block parts_of(const Block& body, const Cut& cut) {
    const auto& [variable, extent, rounds, bound] = cut;
    Block parts;
    const auto add_part = [&](int64_t first, int64_t last, Block own) {
      Loop part{variable + ".part", 1, LoopKind::serial, {}, std::move(own)};
      while (has_loop(body, part.variable)) part.variable += ".part";
      part.bounds = {
          {IndexExpr::variable(variable) + IndexExpr::variable(part.variable), first, last}};
      if (last - first == 1)
        part.body = with_number_in_loops(std::move(part.body), variable, first);
      parts.push_back({std::move(part)});
    };
    if (rounds.whole > 0)
      add_part(0, rounds.whole, rounds.whole > 1 ? without_loop_bound(body, bound) : body);
    for (int64_t round = rounds.whole; round < rounds.some; ++round)
      add_part(round, round + 1, body);
    Block rest = without_loops_of(body, bound);
    if (rounds.some < extent && stores_outside(rest))
      add_part(rounds.some, extent, std::move(rest));
    return parts;
  }
};

}  // namespace

Result<Block> cut_tails(Block block) { return TailCutter().cut(std::move(block)); }

}  // namespace dovetail
