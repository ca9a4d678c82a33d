// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/inner_weights.h"

#include <algorithm>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/winograd/bands.h"

namespace dovetail {
namespace {

const std::string& weights_of(const ContractionFacts& s) { return s.inputs()[1].tensor; }
ParameterId place_of(const ContractionFacts& s) {
  return {ParameterKind::compute_at, weights_of(s)};
}

bool is_plane(const WinogradPlan& plan, const std::string& axis) {
  return std::ranges::count(plan.planes(), axis) > 0;
}

int64_t padded_columns(const ContractionFacts& s, const Choices& c) {
  return round_up(s.axis(s.vector_axis).extent, register_tile(c, s.vector_axis));
}

int64_t columns_of_a_part(const ContractionFacts& s, const Choices& c) {
  return std::min(padded_columns(s, c),
                  register_tile(c, s.vector_axis) * cache_tile(c, s.vector_axis));
}

int64_t depth_of_a_part(const ContractionFacts& s, const Choices& c) {
  return std::min(s.axis(s.pure).extent, unroll_part(c, s.pure) * inner_part(c, s.pure));
}

int64_t part_bytes(const WinogradPlan& plan, const Choices& c) {
  const ContractionFacts& s = plan.facts();
  int64_t planes = 1;
  for (const std::string& axis : plan.planes()) planes *= s.axis(axis).extent;
  return planes * columns_of_a_part(s, c) * depth_of_a_part(s, c) * element_bytes(s, 1);
}

// Whether weights have only vectorized columns, a reduction and planes: no groups.
bool has_parts(const WinogradPlan& plan) {
  const ContractionFacts& s = plan.facts();
  if (plan.planes().empty() || s.pure.empty() || s.inputs().size() != 2) return false;
  if (is_plane(plan, s.vector_axis)) return false;
  const Access& weights = s.inputs()[1];
  const auto is_cut = [&](const ContractionAxis& axis) {
    return axis.name == s.vector_axis || axis.name == s.pure || is_plane(plan, axis.name);
  };
  return access_has(weights, s.vector_axis) &&
         std::ranges::all_of(s.axes, [&](const ContractionAxis& axis) {
           return axis.extent == 1 || !access_has(weights, axis.name) || is_cut(axis);
         });
}

// A part with the whole reduction may exceed L2, since each plane of it is read once.
bool may_be_inside(const WinogradPlan& plan, const Target& target, const Choices& c) {
  const ContractionFacts& s = plan.facts();
  const int64_t rounds = padded_columns(s, c) / columns_of_a_part(s, c);
  const bool is_cut = rounds > 1 || depth_of_a_part(s, c) < s.axis(s.pure).extent;
  return is_cut && rounds >= target.name.threads &&
         part_bytes(plan, c) <= most_kept_bytes(target) && !is_banded(plan, c) &&
         chosen(c, {ParameterKind::layout_levels, weights_of(s)}) == 1;
}

bool is_off_inside(const ContractionFacts& s, const Parameter& p) {
  switch (p.kind) {
    case ParameterKind::layout_tile:
    case ParameterKind::layout_block:
    case ParameterKind::channel_tiles:
    case ParameterKind::cache_read: return p.tensor == weights_of(s);
    case ParameterKind::reduction_outside:
    case ParameterKind::fuse: return true;
    default: return false;
  }
}

// Tiles of one vector by as many rows as there are accumulators: each element of a part serves all
// rows of a tile, and parts are deep.
void widen_rows(const WinogradPlan& plan, const Target& target, Choices& c) {
  const ContractionFacts& s = plan.facts();
  int64_t rows = 1;
  for (auto axis = s.tiled.rbegin(); axis != s.tiled.rend(); ++axis) {
    if (*axis == s.vector_axis || is_plane(plan, *axis)) continue;
    const int64_t tile = largest_divisor(s.axis(*axis).extent, max_accumulators(target) / rows);
    c.set({ParameterKind::register_tile, *axis}, tile);
    c.set({ParameterKind::cache_tile, *axis}, 1);
    rows *= tile;
  }
  c.set({ParameterKind::register_tile, s.vector_axis}, s.lanes);
  c.set({ParameterKind::cache_tile, s.vector_axis}, 1);
}

// Whether the sums of a part's columns, which every part of the reduction updates, stay in L2.
bool sums_stay_in_cache(const ContractionFacts& s, const Target& target) {
  const int64_t columns = s.axis(s.vector_axis).extent;
  return 2 * bytes_of(s, s.output()) / columns * s.lanes <= target.l2_bytes;
}

// Chooses the largest part that leaves three quarters of L2 to other data or, where the sums would
// not stay there, the largest allowed one; X.wino is stored in blocks that one part reads.
bool cut_parts(const WinogradPlan& plan, const Target& target, Choices& c) {
  const ContractionFacts& s = plan.facts();
  widen_rows(plan, target, c);
  const int64_t unroll = unroll_part(c, s.pure);
  const int64_t most =
      sums_stay_in_cache(s, target) ? cache_shares(target).part : most_kept_bytes(target);
  bool found = false;
  for (const int64_t inner : divisors(round_up(s.axis(s.pure).extent, unroll) / unroll)) {
    Choices tried = c;
    tried.set({ParameterKind::inner_part, s.pure}, inner);
    tried.set({ParameterKind::layout_tile, s.inputs()[0].tensor, s.pure}, unroll * inner);
    if (part_bytes(plan, tried) > most || !may_be_inside(plan, target, tried)) continue;
    c = tried;
    found = true;
  }
  return found;
}

constexpr double kTaps = 3;         // along each plane axis
constexpr double kManyNumbers = 6;  // transformed numbers per weight

bool grows_much(const WinogradPlan& plan) {
  double numbers = 1;
  for (const std::string& axis : plan.planes())
    numbers *= static_cast<double>(plan.facts().axis(axis).extent) / kTaps;
  return numbers >= kManyNumbers;
}

// W and W.wino name their dimensions alike.
const std::string& dim_of(const ContractionFacts& s, const std::string& axis) {
  const Access& weights = s.inputs()[1];
  for (size_t j = 0; j < weights.indices.size(); ++j)
    if (weights.indices[j].mentions(axis)) return s.tensor(weights.tensor).dims[j].name;
  CHECK(false, "weights have no axis " + axis);
}

// Layout lines and the axes in them: blocks of columns and the reduction, then taps or planes, and
// innermost the columns of a part.
struct Stored {
  TensorLayout lines;
  std::vector<std::string> outside, around;
  std::string columns;
};
Stored stored_in_parts(const Tensor& tensor, const ContractionFacts& s, const Choices& c) {
  const std::string& columns = dim_of(s, s.vector_axis);
  const std::string& depth = dim_of(s, s.pure);
  const int64_t padded = padded_columns(s, c), of_a_part = columns_of_a_part(s, c);
  Stored stored;
  stored.lines.tensor = tensor.name;
  stored.columns = columns;
  const int64_t extent = s.axis(s.vector_axis).extent;
  if (padded > extent) stored.lines.primitives.push_back(layout::Pad{columns, 0, padded - extent});
  if (of_a_part < padded) {
    stored.lines.primitives.push_back(layout::Split{columns, of_a_part});
    stored.outside.push_back(columns + ".0");
    stored.columns += ".1";
  }
  stored.outside.push_back(depth);
  for (const LogicalDim& dim : tensor.dims)
    if (dim.name != columns && dim.name != depth) stored.around.push_back(dim.name);
  std::vector<std::string> order = stored.outside;
  order.insert(order.end(), stored.around.begin(), stored.around.end());
  order.push_back(stored.columns);
  stored.lines.primitives.push_back(layout::Reorder{order});
  return stored;
}

void replace_lines(TensorLayout lines, std::vector<TensorLayout>& layouts) {
  const auto known = std::ranges::find(layouts, lines.tensor, &TensorLayout::tensor);
  CHECK(known != layouts.end(), "weights have a layout line");
  *known = std::move(lines);
}

}  // namespace

bool has_inner_weights(const WinogradPlan& plan, const Choices& choices) {
  return plan.weights_inside && chosen(choices, place_of(plan.facts()), kApart) == kWorkspace;
}

bool may_have_inner_weights(const WinogradPlan& plan, const Target& target) {
  return has_parts(plan) && grows_much(plan) &&
         bytes_of(plan.facts(), weights_of(plan.facts())) > target.l2_bytes;
}

void add_inner_weights(const std::shared_ptr<const WinogradPlan>& plan, const Target& target,
                       ParameterList& list) {
  if (!plan->weights_inside) return;
  const ContractionFacts& s = plan->facts();
  const std::vector<ParameterId> reads = {
      {ParameterKind::register_tile, s.vector_axis}, {ParameterKind::cache_tile, s.vector_axis},
      {ParameterKind::unroll_part, s.pure},          {ParameterKind::inner_part, s.pure},
      {ParameterKind::layout_levels, weights_of(s)}, {ParameterKind::compute_at, s.output()}};
  list.add(
      place_of(s), "where " + weights_of(s) + " is made; apart where a part would be too large",
      reads,
      [plan, target](const Choices& c) {
        return std::vector<int64_t>{may_be_inside(*plan, target, c) ? kWorkspace : kApart};
      },
      compute_place_labels());
}

void keep_inner_weights_row_major(const WinogradPlan& plan, std::vector<Parameter>& parameters) {
  if (!plan.weights_inside) return;
  keep_off_where(
      place_of(plan.facts()), kWorkspace,
      [&](const Parameter& p) { return is_off_inside(plan.facts(), p); }, parameters);
}

void choose_for_streamed_weights(const WinogradPlan& plan, const Target& target, Choices& choices) {
  if (!has_parts(plan)) return;
  const std::string& weights = weights_of(plan.facts());
  if (plan.weights_inside) {
    Choices cut = choices;
    cut.set({ParameterKind::layout_levels, weights}, 1);
    if (!cut_parts(plan, target, cut)) return;
    cut.set(place_of(plan.facts()), kWorkspace);
    cut.set({ParameterKind::prefetch, weights}, kAheadOfTransform);
    choices = std::move(cut);
  } else if (leaves_caches(bytes_of(plan.facts(), weights), target)) {
    widen_rows(plan, target, choices);
    choices.set({ParameterKind::prefetch, weights}, kAheadOfProduct);
  }
}

void transform_inside(const WinogradPlan& plan, const Choices& choices, Trace& trace) {
  const PlannedStage& once = plan.stages[0];
  const ContractionFacts& facts = plan.facts();
  const Computation& transform = once.computation;
  const Tensor& weights = transform.tensors.front();
  replace_lines(stored_in_parts(weights, facts, choices).lines, trace.layouts);
  Stored made = stored_in_parts(transform.tensors.back(), facts, choices);
  replace_lines(std::move(made.lines), trace.layouts);
  const auto line = std::ranges::find(trace.loops, once.name, &StageLoops::stage);
  CHECK(line != trace.loops.end(), "inner weights are placed in a loop of the product");
  std::vector<LoopPrimitive>& list = line->primitives;
  std::vector<std::string> order = made.outside;
  if (columns_of_a_part(facts, choices) > facts.lanes) {
    list.push_back(loop::Split{made.columns, facts.lanes});
    order.push_back(made.columns + ".0");
    made.columns += ".1";
  }
  std::vector<std::string> written_out = made.around;
  for (const Axis& axis : transform.axes)
    if (axis.reduction) written_out.push_back(axis.name);
  order.insert(order.end(), written_out.begin(), written_out.end());
  order.push_back(made.columns);
  list.push_back(loop::Reorder{order});
  for (const std::string& name : written_out) list.push_back(loop::Unroll{name});
  list.push_back(loop::Vectorize{made.columns});
  const int64_t ahead = chosen(choices, {ParameterKind::prefetch, once.name}, 0);
  if (ahead > 0) list.push_back(loop::Prefetch{weights.name, made.outside.back(), ahead});
}

}  // namespace dovetail
