// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/build_nest.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/ir/index/element_stride.h"
#include "core/ir/operator/accumulator.h"
#include "core/ir/program/walk.h"
#include "primitives/copy.h"
#include "primitives/loop/annotations.h"
#include "primitives/loop/copy_loops.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/nest/access.h"
#include "primitives/lowering/nest/attached_stages.h"
#include "primitives/lowering/nest/beyond_integers.h"
#include "primitives/lowering/nest/blocked_sum.h"
#include "primitives/lowering/nest/factored_sum.h"
#include "primitives/lowering/nest/gather_loops.h"
#include "primitives/lowering/nest/nest_checks.h"
#include "primitives/lowering/nest/paired_sum.h"
#include "primitives/lowering/nest/whole_numbers.h"
#include "primitives/lowering/stage_passes.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// The element that a nest accumulates into: a register tile, or the output itself.
struct Accumulator {
  std::string target;
  std::vector<IndexExpr> indices;
  Value load() const { return Load{target, indices}; }
};

// The accumulators of the kernel's own stage are `acc`; those of a stage inside it are named after
// it, so that one register tile never shadows another.
std::string register_tile_name(const Stage& stage) {
  return stage.attachment ? stage.name + ".acc" : "acc";
}

// Attaches each of the stage's bounds to the innermost loop that it mentions.
Stage with_loop_bounds(Stage stage) {
  for (const Bound& bound : stage.bounds) {
    const auto inner =
        std::find_if(stage.loops.rbegin(), stage.loops.rend(),
                     [&](const StageLoop& l) { return bound.expr.mentions(l.name); });
    if (inner != stage.loops.rend()) inner->bounds.push_back(bound);
  }
  return stage;
}

class NestBuilder {
 public:
  NestBuilder(const Stage& stage, const std::vector<ScheduledTensor>& tensors,
              std::span<const Stage> attached)
      : stage_(with_loop_bounds(stage)), tensors_(tensors), attached_(attached) {}

  // Everything that can fail; a transform, which unrolls into much code, is not built for that.
  Result<void> check() {
    if (stage_.computation.tables.empty()) {
      TRY(build());
      return {};
    }
    TRY(prepare());
    return check_factored_loops(stage_, TRY(factors()));
  }

  // Gives each data-dependent loop the value that selects its iteration.
  Result<Stage> with_chosen_loops() {
    TRY(prepare());
    for (const Access& access : stage_.computation.reads) {
      Result<Value> value = read(access);  // fails while another gather index is unknown
      reads_.push_back(value ? *value : Value());
    }
    Stage result = stage_;
    for (StageLoop& loop : result.loops) {
      if (loop.gathers < 0) continue;
      const GatherIndex& index = stage_.computation.gathers[static_cast<size_t>(loop.gathers)];
      TRY(check_known_outside(stage_, loop, index));
      loop.at = loaded(index.value);
    }
    return result;
  }

  Result<Block> build() {
    TRY(prepare());
    if (!stage_.computation.tables.empty())
      return with_fills(fills_, 0, stage_, TRY(factored_nest(stage_, TRY(factors()))));
    for (const Access& access : stage_.computation.reads) reads_.push_back(TRY(read(access)));
    const std::vector<Value> elements = TRY(summed_elements());
    if (reduces()) return with_fills(fills_, 0, stage_, reduction(elements));
    Value element = elements[0];  // one group of pairs needs no loop
    for (size_t k = 1; k < elements.size(); ++k)
      element = binary(BinaryOp::add, element, elements[k]);
    const Block body = {store(output_, stored(finished(element)), Reducer::none)};
    return with_fills(fills_, 0, stage_, nest_with_fills(stage_.loops, 0, body));
  }

 private:
  Result<void> prepare() {
    output_ = {stage_.computation.output.tensor, stored_indices(stage_)};
    TRY(check_numbers(stage_));
    stored_bounds_ = TRY(stored_bounds(kernel_));
    TRY(build_fills());
    if (!is_transposed()) TRY(check_lanes(kernel_, output_.target, output_.indices, 1));
    return check_texels(kernel_, output_.indices);
  }

  Result<void> build_fills() {
    for (const Stage& other : attached_) {
      if (!other.attachment || other.attachment->stage != stage_.name) continue;
      TRY(check_outside_pairs(stage_, other));
      Block nest = TRY(build_nest(other, tensors_, attached_));
      if (other.attachment->scope == TileScope::local) nest = shared_among_items(nest, other);
      fills_.push_back({&other, attached_position(other, stage_), std::move(nest)});
    }
    return {};
  }

  Result<std::vector<Value>> summed_elements() {
    if (!stage_.pairs) return std::vector<Value>{loaded(stage_.computation.element)};
    return paired_elements(stage_, [this](const Access& access) { return read(access); });
  }

  // The nest, with attached stages at the start of the bodies of their loops; the first loop is
  // number `from` of the stage.
  Block nest_with_fills(std::span<const StageLoop> loops, size_t from, Block inner) const {
    for (size_t l = loops.size(); l-- > 0;)
      inner = loop_with_fills(loops[l], fills_, from + l + 1, stage_, std::move(inner));
    return inner;
  }

  // The first factor of a transform is a tensor, the others are tables of constants.
  Result<FactoredSum> factors() {
    const Computation& c = stage_.computation;
    const std::span<const Access> factors = element_reads(c);
    FactoredSum sum{
        .source = TRY(read(factors[0])),
        .read = {},
        .tables = {},
        .target = output_.target,
        .stored = output_.indices,
        .finished = [this](const Value& value) { return finished(value); },
        .inside = [this](std::span<const StageLoop> loops,
                         Block inner) { return nest_with_fills(loops, 0, std::move(inner)); }};
    const Ranges ranges = loop_ranges(stage_);
    for (size_t i = 1; i < factors.size(); ++i) {
      sum.tables.push_back(find_table(c, factors[i].tensor));
      CHECK(sum.tables.back() != nullptr, "a tensor after the tables of coefficients");
      sum.read.push_back(factors[i].indices);
      for (IndexExpr& index : sum.read.back())
        index = substitute(index, stage_.axis_values, ranges);
    }
    reads_.resize(factors.size());
    for (const Access& access : result_reads(c)) reads_.push_back(TRY(read(access)));
    return sum;
  }

  // Loops over the register tile, without bounds that mention reductions inside it. A
  // data-dependent loop has one iteration, and adds no axis to the tile.
  std::vector<StageLoop> tile_loops(size_t at) const {
    std::vector<StageLoop> tile(stage_.loops.begin() + static_cast<ptrdiff_t>(at),
                                stage_.loops.end());
    std::erase_if(tile, [&](const StageLoop& loop) {
      return loop.reduction || (loop.gathers >= 0 && !is_for_result(loop, stage_));
    });
    for (StageLoop& loop : tile) {
      loop.intrinsic.clear();  // initial values and results are no part of the instruction
      std::erase_if(loop.bounds, [&](const Bound& bound) {
        return std::ranges::any_of(std::span(stage_.loops).subspan(at), [&](const StageLoop& l) {
          return l.reduction && bound.expr.mentions(l.name);
        });
      });
    }
    return tile;
  }

  Block reduction(const std::vector<Value>& elements) const {
    if (sums_in_lanes()) return lanes_reduction(elements);
    const size_t at = tile_position(stage_);
    const std::span<const StageLoop> loops(stage_.loops);
    const std::vector<StageLoop> tile = tile_loops(at);
    const std::vector<Bound> first = round_bounds(loops.first(at), false),
                             last = round_bounds(loops.first(at), true);
    Block body;
    Accumulator sum = output_;
    if (stage_.cache_write_at) {
      ScopedTile registers = tile_over(register_tile_name(stage_), tile);
      sum = sum_over(registers, tile);
      body.push_back({std::move(registers)});
    }
    const Value before = select(first, start_of(sum), output_.load());
    const bool is_block = stage_.cache_write_at && !first.empty();
    append(body, nest(tile, {store(sum, is_block ? start_of(sum) : before)}));
    append(body, accumulation(sum, elements, at));
    if (is_block) append(body, nest(tile, {store(sum, before, stage_.computation.reducer)}));
    const Value value = select(last, stored(finished(sum.load())), sum.load());
    if (stage_.cache_write_at || !(value == sum.load()))
      append(body, nest(tile, {store(output_, value)}));
    return nest_with_fills(loops.first(at), 0, std::move(body));
  }

  // Adds all terms to the sum in sequence, or in blocks if the sum is long.
  Block accumulation(const Accumulator& sum, const std::vector<Value>& elements, size_t at) const {
    const std::span<const StageLoop> loops(stage_.loops);
    const Reducer reducer = stage_.computation.reducer;
    const std::optional<size_t> position = block_position(stage_);
    if (!position) return sum_nest(at, sum, elements);
    std::vector<StageLoop> tile = tile_loops(*position);
    if (sums_in_lanes()) {
      tile.push_back(loops.back());
      tile.back().bounds.clear();
    }
    ScopedTile registers = tile_over(sum.target + ".block", tile);
    const Accumulator block = sum_over(registers, tile);
    Block body;
    body.push_back({std::move(registers)});
    append(body, nest(tile, {store(block, start_of(block))}));
    append(body, sum_nest(*position, block, elements));
    append(body, nest(tile, {store(sum, block.load(), reducer)}));
    return nest_with_fills(loops.subspan(at, *position - at), at, std::move(body));
  }

  // The loops from number `from` on, around the additions. Pairs of one sign are added to a whole
  // tile before those of the other.
  Block sum_nest(size_t from, const Accumulator& sum, std::span<const Value> elements) const {
    const std::span<const StageLoop> loops(stage_.loops);
    size_t inner = loops.size() - unrolled_inside_pairs(stage_);
    for (const Fill& fill : fills_)
      if (fill.position > inner) inner = loops.size();
    const int64_t parts = stage_.pairs && inner < loops.size() ? stage_.pairs->signs : 1;
    const size_t each = elements.size() / static_cast<size_t>(parts);
    Block body;
    for (size_t first = 0; first < elements.size(); first += each)
      append(body, nest(loops.subspan(inner),
                        stores(sum, elements.subspan(first, each), stage_.computation.reducer)));
    return nest_with_fills(loops.subspan(from, inner - from), from, std::move(body));
  }

  ScopedTile tile_over(const std::string& name, const std::vector<StageLoop>& loops) const {
    ScopedTile registers{name, {}, TileScope::registers, sum_type()};
    for (const StageLoop& loop : loops)
      if (loop.gathers < 0) registers.extents.push_back(loop.extent);
    return registers;
  }
  static Accumulator sum_over(const ScopedTile& registers, const std::vector<StageLoop>& loops) {
    Accumulator sum{registers.name, {}};
    for (const StageLoop& loop : loops)
      if (loop.gathers < 0) sum.indices.push_back(IndexExpr::variable(loop.name));
    return sum;
  }

  // Each lane has a partial sum of its own; these are combined at the end.
  Block lanes_reduction(const std::vector<Value>& elements) const {
    const size_t at = tile_position(stage_);
    const std::span<const StageLoop> loops(stage_.loops);
    const std::vector<StageLoop> tile = tile_loops(at);
    std::vector<StageLoop> lanes = tile;
    lanes.push_back(loops.back());
    lanes.back().bounds.clear();
    const ScopedTile parts = tile_over(register_tile_name(stage_), lanes);
    const ScopedTile totals = tile_over(parts.name + ".total", tile);
    const Accumulator part = sum_over(parts, lanes), total = sum_over(totals, tile);
    const Reducer reducer = stage_.computation.reducer;
    Block body;
    body.push_back({parts});
    append(body, nest(lanes, {store(part, start_of(part))}));
    append(body, accumulation(part, elements, at));
    body.push_back({totals});
    append(body, nest(tile, {store(total, start_of(total))}));
    append(body, nest(lanes, {store(total, part.load(), reducer)}));
    append(body, nest(tile, {store(output_, stored(finished(total.load())))}));
    return nest_with_fills(loops.first(at), 0, std::move(body));
  }

  ElementType sum_type() const { return accumulator_type(stage_.computation); }

  // The reducer's neutral element, in the type of the accumulator.
  Value start_of(const Accumulator& sum) const {
    const bool is_output = sum.target == output_.target;
    return neutral(stage_.computation.reducer,
                   is_output ? tensor_named(tensors_, output_.target).type : sum_type());
  }

  // Bounds that hold in the first (or last) round of the reduction loops outside the tile; empty
  // without such loops.
  static std::vector<Bound> round_bounds(std::span<const StageLoop> outer, bool last) {
    std::vector<Bound> bounds;
    for (const StageLoop& loop : outer) {
      if (!loop.reduction) continue;
      const int64_t round = last ? loop.extent - 1 : 0;
      bounds.push_back({IndexExpr::variable(loop.name), round, round + 1});
    }
    return bounds;
  }

  // Replaces reads and axes of the computation by loads and loops.
  Value loaded(const Value& value, const Value& reduced = Reduced{}) const {
    const Ranges ranges = loop_ranges(stage_);
    const Value all = rebuilt(value, [&](const Value& node) -> std::optional<Value> {
      if (const auto* read = node.as<ReadOf>()) return reads_[static_cast<size_t>(read->position)];
      if (node.as<Reduced>() != nullptr) return reduced;
      return with_indices(
          node, [&](const IndexExpr& e) { return substitute(e, stage_.axis_values, ranges); });
    });
    const TypeOfLoad types = types_of_loads(kernel_, stage_.computation);
    return with_infinite_integers(with_whole_branches(all, types), types);
  }

  Value finished(const Value& reduced) const {
    if (stage_.computation.reducer == Reducer::none) return reduced;
    return loaded(stage_.computation.result, reduced);
  }

  // Beyond the tensor's elements its outside value is stored instead, if it has one. A tile of f16
  // or bf16 may hold f32, which is rounded on the way into it.
  Value stored(Value value) const {
    const ScheduledTensor& tensor = tensor_named(tensors_, output_.target);
    if (stage_.attachment && is_half(tensor.type) && !is_copy(stage_.computation))
      value = as_stored(tensor.type, std::move(value));
    if (!tensor.outside) return value;
    return select(stored_bounds_, std::move(value), *tensor.outside);
  }

  Result<Value> read(const Access& access) {
    const ScheduledTensor& tensor = tensor_named(tensors_, access.tensor);
    RewrittenAccess rewritten = TRY(rewrite_access(access, tensor, stage_));
    if (const Stage* maker = maker_of(kernel_, access.tensor)) {
      rewritten.indices = tile_indices(rewritten.indices, *maker);
      if (is_whole_copy(maker->computation) && holds_outside(tensor.type, access.outside) &&
          maker->computation.reads[0].outside == access.outside)
        drop_implied_bounds(rewritten);
    }
    TRY(check_inside(kernel_, access.tensor, rewritten));
    const int64_t most = mentions_lane(stage_, rewritten.bounds) ? 1 : 2;
    if (!is_tensorized(stage_) && !is_read_by_rows(access.tensor, rewritten.indices) &&
        !gathers_texels(access.tensor, rewritten.indices))
      TRY(check_lanes(kernel_, access.tensor, rewritten.indices, most));
    for (Bound& bound : rewritten.bounds)
      bound = TRY(evenly_in_lanes(stage_, access.tensor, bound));
    Value element = Load{access.tensor, std::move(rewritten.indices)};
    return select(std::move(rewritten.bounds), std::move(element), access.outside);
  }

  // Whether the unrolled loop and its lanes are a tile to transpose: neighbours along the loop are
  // written contiguously, and the lanes at a constant stride.
  bool is_transposed() const {
    return has_transposed_loops(stage_) && is_by_rows(output_.target, output_.indices);
  }

  // One of several concatenated tensors may be read as it is written: its part of the tile is
  // turned once peeling has separated it from the others (lowering/passes/transpose_tile_lanes.h).
  bool is_read_by_rows(const std::string& tensor, const std::vector<IndexExpr>& indices) const {
    return is_transposed() && is_by_rows(tensor, indices);
  }

  // A copy into an image writes four lanes regardless of its source's layout: a texel of four
  // channels is gathered from four planes of a framework's tensor.
  bool gathers_texels(const std::string& tensor, const std::vector<IndexExpr>& indices) const {
    return stage_.role == StageRole::copy && !stage_.attachment &&
           is_texture(tensor_named(tensors_, output_.target).layout.scope) &&
           element_stride(indices, stored_extents(kernel_, tensor), stage_.loops.back().name)
               .has_value();
  }

  // Whether neighbours along the unrolled loop are contiguous, and lanes at a constant stride.
  bool is_by_rows(const std::string& tensor, const std::vector<IndexExpr>& indices) const {
    const std::vector<int64_t> extents = stored_extents(kernel_, tensor);
    const size_t last = stage_.loops.size() - 1;
    const Result<int64_t> rows = element_stride(indices, extents, stage_.loops[last - 1].name);
    return rows && *rows == 1 &&
           element_stride(indices, extents, stage_.loops[last].name).has_value();
  }

  bool sums_in_lanes() const { return lane_of(stage_) != nullptr && stage_.loops.back().reduction; }
  bool reduces() const { return std::ranges::any_of(stage_.loops, &StageLoop::reduction); }

  static Statement store(const Accumulator& to, Value value, Reducer reducer = Reducer::none) {
    return {Store{to.target, to.indices, std::move(value), reducer}};
  }
  static Block stores(const Accumulator& to, std::span<const Value> values, Reducer reducer) {
    Block block;
    for (const Value& value : values) block.push_back(store(to, value, reducer));
    return block;
  }
  static Block nest(std::span<const StageLoop> loops, Block inner) {
    for (size_t l = loops.size(); l-- > 0;) inner = block_of(loops[l], std::move(inner));
    return inner;
  }

  const Stage stage_;
  const std::vector<ScheduledTensor>& tensors_;
  std::span<const Stage> attached_;
  const StageInKernel kernel_{stage_, tensors_, attached_};
  std::vector<Fill> fills_;
  Accumulator output_;
  std::vector<Bound> stored_bounds_;
  std::vector<Value> reads_;  // the computation's reads, by position
};

}  // namespace

Result<Block> build_nest(const Stage& stage, const std::vector<ScheduledTensor>& tensors,
                         std::span<const Stage> attached) {
  if (stage.computation.gathers.empty())
    return NestBuilder(TRY(with_summed_loops(stage, attached)), tensors, attached).build();
  const Stage chosen = TRY(NestBuilder(stage, tensors, attached).with_chosen_loops());
  return NestBuilder(chosen, tensors, attached).build();
}

Result<void> check_nest(const Stage& stage, const std::vector<ScheduledTensor>& tensors) {
  return NestBuilder(TRY(with_paired_loop(stage)), tensors, {}).check();
}

}  // namespace dovetail
