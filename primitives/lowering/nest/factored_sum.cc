// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/factored_sum.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/value/walk.h"
#include "primitives/lowering/passes/rewrite_block.h"
#include "primitives/lowering/passes/shared_sums.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

std::vector<IndexExpr> at(std::vector<IndexExpr> indices, const IndexValues& point) {
  for (IndexExpr& index : indices) index = substitute(index, point, {});
  return indices;
}

// Adds up terms of the form coefficient · value.
class Sum {
 public:
  void add(double coefficient, Value value) { terms_.emplace_back(coefficient, std::move(value)); }

  // Begins with a term that costs no multiplication, so that each of the others is a multiply-add.
  Value value() {
    const auto rank = [](const Term& t) { return t.first == 1 ? 0 : t.first > 0 ? 1 : 2; };
    const auto first = std::ranges::min_element(terms_, {}, rank);
    if (first == terms_.end()) return 0.0;
    std::rotate(terms_.begin(), first, first + 1);
    Value total = terms_[0].first == 1 ? terms_[0].second : scaled(terms_[0]);
    for (size_t k = 1; k < terms_.size(); ++k) {
      Term term = terms_[k];
      const BinaryOp op = term.first < 0 ? BinaryOp::sub : BinaryOp::add;
      term.first = std::abs(term.first);
      total = binary(op, std::move(total), scaled(term));
    }
    return total;
  }

 private:
  using Term = std::pair<double, Value>;
  static Value scaled(const Term& term) {
    return term.first == 1 ? term.second : binary(BinaryOp::mul, term.second, term.first);
  }
  std::vector<Term> terms_;
};

// The stage's loops by purpose.
struct SortedLoops {
  const StageLoop* lane = nullptr;
  std::vector<StageLoop> outer, written_out;
};

Result<SortedLoops> sort_loops(const Stage& stage) {
  SortedLoops sorted;
  for (const StageLoop& loop : stage.loops) {
    if (loop.kind == LoopKind::vectorized) {
      sorted.lane = &loop;
    } else if (runs_over_table(stage, loop.name)) {
      if (loop.kind != LoopKind::unrolled)
        return refuse("stage " + stage.name,
                      "loop {} runs over a table of coefficients, expected it to be unrolled",
                      loop.name);
      sorted.written_out.push_back(loop);
    } else if (!sorted.written_out.empty()) {
      return refuse("stage " + stage.name,
                    "loop {} is inside loop {} over a table of coefficients; reorder first",
                    loop.name, sorted.written_out.back().name);
    } else if (loop.reduction) {
      return refuse("stage " + stage.name, "loop {} sums up beside the tables of coefficients",
                    loop.name);
    } else {
      sorted.outer.push_back(loop);
    }
  }
  if (sorted.lane == nullptr || !runs_over_table(stage, sorted.lane->name)) return sorted;
  return refuse("stage " + stage.name,
                "vectorized loop {} runs over a table of coefficients, expected it to be unrolled",
                sorted.lane->name);
}

class FactoredNest {
 public:
  FactoredNest(SortedLoops loops, const FactoredSum& sum)
      : sum_(sum),
        lane_(loops.lane),
        outer_(std::move(loops.outer)),
        written_out_(std::move(loops.written_out)) {}

  Block build() {
    for (size_t k = 0; k < sum_.read.size(); ++k) {
      Factor factor{.table = sum_.tables[k], .indices = sum_.read[k], .outputs = {}, .sums = {}};
      for (const StageLoop& loop : written_out_) {
        const bool used = mentions(factor.indices, loop.name) && !taken(loop.name);
        if (used) (loop.reduction ? factor.sums : factor.outputs).push_back(loop);
      }
      factors_.push_back(std::move(factor));
    }
    members_.assign(factors_.size(), 1);
    emit(0, {}, 0);
    Block body = declarations();
    body.insert(body.end(), std::make_move_iterator(statements_.begin()),
                std::make_move_iterator(statements_.end()));
    return sum_.inside(outer_, std::move(body));
  }

 private:
  struct Factor {
    const CoefficientTable* table;
    std::vector<IndexExpr> indices;
    std::vector<StageLoop> outputs, sums;  // loops that its indices name
  };

  static bool mentions(const std::vector<IndexExpr>& indices, const std::string& name) {
    return std::ranges::any_of(indices, [&](const IndexExpr& e) { return e.mentions(name); });
  }
  bool taken(const std::string& name) const {
    const auto has = [&](const std::vector<StageLoop>& loops) {
      return std::ranges::find(loops, name, &StageLoop::name) != loops.end();
    };
    return std::ranges::any_of(factors_,
                               [&](const Factor& f) { return has(f.outputs) || has(f.sums); });
  }

  static std::vector<IndexValues> points_of(const std::vector<StageLoop>& loops) {
    std::vector<IndexValues> points = {{}};
    for (const StageLoop& loop : loops) {
      std::vector<IndexValues> longer;
      for (const IndexValues& point : points) {
        for (int64_t i = 0; i < loop.extent; ++i) {
          longer.push_back(point);
          longer.back()[loop.name] = IndexExpr(i);
        }
      }
      points = std::move(longer);
    }
    return points;
  }
  static IndexValues joined(IndexValues point, const IndexValues& more) {
    for (const auto& [name, value] : more) point[name] = value;
    return point;
  }

  // The coefficients of the k-th axis at a point of the axes before it, as a plan of few additions.
  std::vector<RowGroup> plan(size_t k, const IndexValues& point) const {
    std::vector<std::vector<double>> matrix;
    for (const IndexValues& output : points_of(factors_[k].outputs)) {
      std::vector<double>& row = matrix.emplace_back();
      for (const IndexValues& summed : points_of(factors_[k].sums))
        row.push_back(coefficient(factors_[k], joined(joined(point, output), summed)));
    }
    return share_sums(matrix);
  }

  // Sums along the k-th axis for groups of its outputs, and continues with the next axis. `member`:
  // the row of the previous axis's group whose partial sums are read.
  void emit(size_t k, const IndexValues& point, int64_t member) {
    const std::vector<IndexValues> outputs = points_of(factors_[k].outputs);
    for (const RowGroup& group : plan(k, point)) {
      members_[k] = std::max(members_[k], static_cast<int64_t>(group.rows.size()));
      if (k + 1 == factors_.size()) {
        emit_group(k, group, point, member, [&](size_t m, Value sum) {
          const IndexValues at_row = joined(point, outputs[group.rows[m].row]);
          append(Store{sum_.target, at(sum_.stored, at_row),
                       with_variables(sum_.finished(std::move(sum)), at_row)});
        });
        continue;
      }
      for (const IndexValues& later : points_of(summed_after(k))) {
        const IndexValues here = joined(point, later);
        emit_group(k, group, here, member, [&](size_t m, Value sum) {
          append(
              Store{tile_name(k), tile_indices(k, static_cast<int64_t>(m), here), std::move(sum)});
        });
      }
      for (size_t m = 0; m < group.rows.size(); ++m)
        emit(k + 1, joined(point, outputs[group.rows[m].row]), static_cast<int64_t>(m));
    }
  }

  // Emits the sums of one group at one point; `finish` gets each, with its number in the group.
  void emit_group(size_t k, const RowGroup& group, const IndexValues& point, int64_t member,
                  const std::function<void(size_t, Value)>& finish) {
    const std::vector<IndexValues> summed = points_of(factors_[k].sums);
    std::vector<Value> parts;
    const auto element = [&](const SumTerm& term) -> Value {
      if (term.is_shared) return parts[term.index];
      const IndexValues here = joined(point, summed[term.index]);
      return k == 0 ? source(here)
                    : Value(Load{tile_name(k - 1), tile_indices(k - 1, member, here)});
    };
    for (const SumTerms& terms : group.shared) {
      const Value part = sum_of(terms, element);
      const auto number = static_cast<int64_t>(parts.size());
      if (part.as<Constant>() != nullptr || is_element(terms)) {
        parts.push_back(part);
        continue;
      }
      shared_ = std::max(shared_, number + 1);
      append(Store{shared_name(), with_lane({IndexExpr(number)}), part});
      parts.emplace_back(Load{shared_name(), with_lane({IndexExpr(number)})});
    }
    for (size_t m = 0; m < group.rows.size(); ++m) finish(m, sum_of(group.rows[m].terms, element));
  }

  static bool is_element(const SumTerms& terms) {
    return terms.size() == 1 && terms[0].coefficient == 1;
  }

  // The sum of the terms; 0 where all elements are outside their tensor.
  static Value sum_of(const SumTerms& terms, const std::function<Value(const SumTerm&)>& element) {
    Sum sum;
    for (const SumTerm& term : terms) {
      Value value = element(term);
      if (!(value == Value(0.0)) && !is_outside(value)) sum.add(term.coefficient, std::move(value));
    }
    return sum.value();
  }

  // Loops over the axes that remain to be summed after axis k.
  std::vector<StageLoop> summed_after(size_t k) const {
    std::vector<StageLoop> loops;
    for (size_t later = k + 1; later < factors_.size(); ++later)
      loops.insert(loops.end(), factors_[later].sums.begin(), factors_[later].sums.end());
    return loops;
  }

  // The tensor's element; it is cached, since many outputs read the same one.
  const Value& source(const IndexValues& point) {
    std::vector<int64_t> key;
    for (const Factor& factor : factors_)
      for (const StageLoop& loop : factor.sums) key.push_back(point.at(loop.name).constant());
    const auto [known, is_new] = sources_.try_emplace(std::move(key));
    if (is_new) known->second = with_variables(sum_.source, point);
    return known->second;
  }

  // Whether a bound excludes the read at this point, where all its indices are numbers.
  static bool is_outside(const Value& term) {
    const auto* select = term.as<Select>();
    return select != nullptr && std::ranges::any_of(select->bounds, [](const Bound& bound) {
             const int64_t value = bound.expr.constant();
             return bound.expr.is_constant() && (value < bound.lower || value >= bound.upper);
           });
  }

  // A coefficient that a layout pads beyond a table's last row is 0.
  static double coefficient(const Factor& factor, const IndexValues& point) {
    int64_t flat = 0;
    for (size_t d = 0; d < factor.indices.size(); ++d) {
      const IndexExpr index = substitute(factor.indices[d], point, {});
      CHECK(index.is_constant(), "a coefficient at " + print(index));
      if (index.constant() < 0 || index.constant() >= factor.table->extents[d]) return 0;
      flat = flat * factor.table->extents[d] + index.constant();
    }
    return factor.table->values[static_cast<size_t>(flat)];
  }

  // Names begin with the target, since several transforms may run in one kernel.
  std::string shared_name() const { return sum_.target + ".shared"; }
  std::string tile_name(size_t k) const { return fmt::format("{}.sum_{}", sum_.target, k + 1); }

  // Indices of a partial sum along axes 0 … k: the row of the group, then the element of each axis
  // that remains to be summed.
  std::vector<IndexExpr> tile_indices(size_t k, int64_t member, const IndexValues& point) const {
    std::vector<IndexExpr> indices = {IndexExpr(member)};
    for (const StageLoop& loop : summed_after(k)) indices.push_back(point.at(loop.name));
    return with_lane(std::move(indices));
  }
  std::vector<IndexExpr> with_lane(std::vector<IndexExpr> indices) const {
    if (lane_ != nullptr) indices.push_back(IndexExpr::variable(lane_->name));
    return indices;
  }

  Block declarations() const {
    Block block;
    if (shared_ > 0) {
      ScopedTile tile{shared_name(), {shared_}};
      if (lane_ != nullptr) tile.extents.push_back(lane_->extent);
      block.push_back({std::move(tile)});
    }
    for (size_t k = 0; k + 1 < factors_.size(); ++k) {
      ScopedTile tile{tile_name(k), {members_[k]}};
      for (const StageLoop& loop : summed_after(k)) tile.extents.push_back(loop.extent);
      if (lane_ != nullptr) tile.extents.push_back(lane_->extent);
      block.push_back({std::move(tile)});
    }
    return block;
  }

  void append(Store store) {
    Statement statement{std::move(store)};
    if (lane_ != nullptr) {
      Loop loop{lane_->name, lane_->extent, LoopKind::vectorized, ThreadAxis::group_0, {}};
      loop.body.push_back(std::move(statement));
      statement = Statement{std::move(loop)};
    }
    statements_.push_back(std::move(statement));
  }

  const FactoredSum& sum_;
  const StageLoop* lane_;
  std::vector<StageLoop> outer_, written_out_;
  std::vector<Factor> factors_;
  std::vector<int64_t> members_;  // rows of the largest group of each factor
  int64_t shared_ = 0;            // most sums that a group shares
  std::map<std::vector<int64_t>, Value>
      sources_;  // by the values of all loops that are summed over
  Block statements_;
};

// Whether the loop is in an index of the tensor's element, or in a bound of it.
bool chooses(const std::string& loop, const Value& source) {
  return any_node(source, [&](const Value& node) {
    const auto* load = node.as<Load>();
    const auto* select = node.as<Select>();
    const auto mentions = [&](const IndexExpr& e) { return e.mentions(loop); };
    return (load != nullptr && std::ranges::any_of(load->indices, mentions)) ||
           (select != nullptr && std::ranges::any_of(select->bounds, mentions, &Bound::expr));
  });
}

}  // namespace

bool runs_over_table(const Stage& stage, const std::string& loop) {
  const Ranges ranges = loop_ranges(stage);
  return std::ranges::any_of(element_reads(stage.computation), [&](const Access& access) {
    if (find_table(stage.computation, access.tensor) == nullptr) return false;
    return std::ranges::any_of(access.indices, [&](const IndexExpr& index) {
      return substitute(index, stage.axis_values, ranges).mentions(loop);
    });
  });
}

int64_t period_over_table(const Stage& stage, const std::string& loop) {
  const Ranges ranges = loop_ranges(stage);
  for (const Access& access : element_reads(stage.computation)) {
    const CoefficientTable* table = find_table(stage.computation, access.tensor);
    for (size_t d = 0; table != nullptr && d < access.indices.size(); ++d) {
      const IndexExpr index = substitute(access.indices[d], stage.axis_values, ranges);
      if (index.mentions(loop) && !(index == IndexExpr::variable(loop))) return table->extents[d];
    }
  }
  return 0;
}

Result<void> check_factored_loops(const Stage& stage, const FactoredSum& sum) {
  const SortedLoops sorted = TRY(sort_loops(stage));
  for (const StageLoop& loop : sorted.written_out) {
    if (loop.reduction || !chooses(loop.name, sum.source)) continue;
    const int64_t period = period_over_table(stage, loop.name);
    CHECK(period > 0, "loop " + loop.name + " counts tiles and their elements");
    const int64_t beyond = loop.extent % period == 0 ? 0 : period - loop.extent % period;
    const std::string pad =
        beyond == 0 ? "" : fmt::format("pad(axis={}, before=0, after={}) ", loop.name, beyond);
    return fail(
        "stage {0}: loop {1} of {2} iterations chooses both tiles of {3} and the {4} elements of a "
        "tile, expected `{5}split(axis={1}, factor={4})` in the layout of {6}",
        stage.name, loop.name, loop.extent, stage.computation.reads[0].tensor, period, pad,
        stage.computation.output.tensor);
  }
  return {};
}

Result<Block> factored_nest(const Stage& stage, const FactoredSum& sum) {
  TRY(check_factored_loops(stage, sum));
  return FactoredNest(TRY(sort_loops(stage)), sum).build();
}

}  // namespace dovetail
