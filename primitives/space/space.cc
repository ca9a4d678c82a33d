// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/space.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/ir/region/region_text.h"
#include "primitives/algorithm/planned_stage.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/refuse.h"
#include "primitives/space/alternatives/alternatives.h"
#include "primitives/space/alternatives/half_vectors.h"
#include "primitives/space/alternatives/in_place.h"
#include "primitives/space/alternatives/pairs_space.h"
#include "primitives/space/chains/chain_space.h"
#include "primitives/space/decode.h"
#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/memory_bound/memory_bound_space.h"
#include "primitives/space/parameters.h"
#include "primitives/space/winograd/inner_weights.h"
#include "primitives/space/winograd/winograd_space.h"

namespace dovetail {

Space::Space(TaskSpec spec, Target target, std::vector<Parameter> parameters,
             std::function<Trace(const Point&)> decode, Point default_point,
             std::vector<std::vector<Parameter>> parts)
    : spec_(std::move(spec)),
      target_(std::move(target)),
      parameters_(std::move(parameters)),
      decode_(std::move(decode)),
      default_point_(std::move(default_point)),
      parts_(std::move(parts)) {
  if (parts_.empty()) parts_ = {parameters_};
  CHECK(contains(default_point_), "the default point is not in its space");
}

namespace {

// Modulo instead of uniform_int_distribution, whose results differ between standard libraries.
int64_t drawn(const Parameter& parameter, const std::vector<int64_t>& domain,
              std::mt19937_64& rng) {
  if (parameter.off_percent == 0 || domain.size() == 1) return domain[rng() % domain.size()];
  if (rng() % 100 < static_cast<uint64_t>(parameter.off_percent)) return domain.front();
  return domain[1 + rng() % (domain.size() - 1)];
}

// Only the region's anchor is searched; its other computations keep plain loops.
const Computation& anchor_of(const Region& region) {
  const auto anchor =
      std::ranges::find(region.computations, region.anchor, &NamedComputation::name);
  CHECK(anchor != region.computations.end(), "an anchor that the region has");
  return anchor->computation;
}

// The structure with adjacent rows merged; nullopt: none, phases, or a split reduction.
std::optional<Structure> merged_rows(const Structure& apart, const Computation& computation,
                                     const Target& target) {
  const MergedDims merged = with_merged_dims(computation, 1);
  if (merged.dims.empty()) return std::nullopt;
  for (const auto& [first, second] : merged.dims)
    if (first == apart.vector_axis || second == apart.vector_axis) return std::nullopt;
  Result<Structure> derived = derive_structure(merged.computation, target, apart.vector_axis);
  if (!derived || derived->splits_reduction || !derived->phased.empty()) return std::nullopt;
  derived->merged = merged.dims;
  for (StructureAxis& axis : derived->axes) {
    axis.merged = std::ranges::count(computation.axes, axis.name, &Axis::name) == 0;
    if (axis.merged) derived->ragged.push_back(axis.name);
  }
  return *std::move(derived);
}

// Whether rows may have cut tails. Phases of transposed convolutions fill their tiles.
bool rows_may_end(const Structure& s) {
  return s.phased.empty() && !s.splits_reduction &&
         std::ranges::all_of(s.inputs(),
                             [](const Access& access) { return access.conditions.empty(); });
}

// Whether the last vector of channels is partial: a separate kernel would crop padded channels.
bool has_part_of_a_vector(const Structure& s) {
  return !s.vector_axis.empty() && s.tiles_channels(s.vector_axis) &&
         s.axis(s.vector_axis).extent % s.lanes != 0;
}

Result<Structure> direct_structure(const Region& region, const Target& target,
                                   const std::optional<std::string>& vector_axis, RowAxes rows) {
  const Computation& computation = anchor_of(region);
  Structure derived = TRY(derive_structure(computation, target, vector_axis));
  if (rows == RowAxes::merged && runs_threads(target)) {
    if (std::optional<Structure> merged = merged_rows(derived, computation, target))
      derived = *std::move(merged);
    else if (rows_may_end(derived))
      for (const std::string& axis : row_axes(derived)) derived.axis(axis).ends = true;
  }
  if (runs_threads(target) && rows_may_end(derived) && has_part_of_a_vector(derived))
    derived.axis(derived.vector_axis).ends = true;
  derived.sums_fit_output =
      tensor_named(computation, computation.output.tensor).type == ElementType::f32;
  derived.stage = region.anchor;
  return derived;
}

Alternative direct_alternative(const std::string& name,
                               const std::shared_ptr<const Structure>& structure,
                               const Target& target) {
  return Alternative{
      .name = name,
      .parameters = derive_parameters(structure, target),
      .decode = [structure,
                 target](const Choices& choices) { return decode(*structure, target, choices); },
      .wanted = default_choices(*structure, target)};
}

Result<Alternative> whole_vectors(const Region& region, const Target& target,
                                  const std::optional<FixedLayout>& layout, RowAxes rows) {
  if (layout && (!region.op || region.op->kind == OperatorKind::custom))
    return refuse(print(region), "layout {} has no meaning for a written region", print(*layout));
  std::optional<std::string> vector_axis;
  if (layout) vector_axis = contiguous_axis(anchor_of(region), *layout);
  Structure derived = TRY(direct_structure(region, target, vector_axis, rows));
  if (layout && !derived.vector_axis.empty()) derived.axis(derived.vector_axis).ends = false;
  const auto structure = std::make_shared<const Structure>(std::move(derived));
  Alternative direct = direct_alternative("direct", structure, target);
  if (layout) direct.parameters = with_layout(std::move(direct.parameters), *structure, *layout);
  return direct;
}

// The direct sum in half vectors, where these save lanes.
Result<std::optional<Alternative>> half_vectors(const Region& region, const Target& target,
                                                RowAxes rows) {
  const Structure whole = TRY(direct_structure(region, target, std::nullopt, rows));
  const std::optional<Target> halved = half_vector_target(whole, target);
  if (!halved) return std::optional<Alternative>();
  Structure half = TRY(direct_structure(region, *halved, whole.vector_axis, rows));
  half.max_vectors = 2 * whole.max_vectors;
  Alternative alternative = direct_alternative(
      "half_vectors", std::make_shared<const Structure>(std::move(half)), *halved);
  alternative.is_default = halves_are_faster(whole, target);
  return std::optional(std::move(alternative));
}

// The input transform must store channels innermost, or its loads are gathers.
void keep_channels_in_vectors(const Structure& product, std::vector<Parameter>& parameters) {
  const ParameterId tile(ParameterKind::layout_tile, product.inputs()[0].tensor, product.pure);
  for (Parameter& parameter : parameters) {
    if (id_of(parameter) != tile) continue;
    parameter.domain = [own = parameter.domain](const Point& earlier) {
      std::vector<int64_t> values = own(earlier);
      if (values.size() > 1) std::erase(values, 0);
      return values;
    };
  }
}

Alternative alternative_of(std::string name, WinogradSpace winograd, const Target& target) {
  const auto space = std::make_shared<const WinogradSpace>(std::move(winograd));
  std::vector<Parameter> parameters =
      derive_parameters(std::make_shared<const Structure>(space->product), target);
  keep_channels_in_vectors(space->product, parameters);
  return Alternative{
      .name = std::move(name),
      .parameters = std::move(parameters),
      .decode = [space, target](const Choices& c) { return decode(*space, target, c); },
      .wanted = default_choices(*space, target)};
}

// Empty where Winograd does not apply.
std::vector<Alternative> winograd_alternatives(const Operator& op, const Target& target,
                                               int64_t tile) {
  Target buffers = target;  // transforms store to buffers only
  buffers.has_images = false;
  Result<WinogradSpace> space = winograd_space(op, algorithm::Winograd{tile}, buffers);
  if (!space) return {};
  const std::string name = fmt::format("winograd_{}", tile);
  std::vector<Alternative> alternatives = {alternative_of(name, *space, buffers)};
  if (may_have_inner_weights(space->product, buffers)) {
    space->product.weights_inside = true;
    alternatives.push_back(alternative_of(name + "_inner", *std::move(space), buffers));
  }
  return alternatives;
}

// The direct sum's loops and layouts, with products by pairs. Not offered on AVX2, whose
// multiply-adds cannot broadcast a value of X, and whose 16 registers cannot hold the sums beside
// broadcast values and two vectors of weights (a Zen 3 takes 1.3 to 1.8 times as long by pairs).
std::optional<Alternative> pairs_alternative(const Region& region, const Target& target,
                                             RowAxes rows) {
  if (!adds_beside_multiplying(target) || target.vector_registers < 32) return std::nullopt;
  Result<Structure> derived = direct_structure(region, target, std::nullopt, rows);
  if (!derived || !derived->phased.empty()) return std::nullopt;
  derived->pairs = pairs_of(*derived, target);
  const Result<std::vector<PlannedStage>> stages = plan_stages(region, *derived->pairs);
  if (!stages) return std::nullopt;  // not a sum that pairs compute
  const auto product = std::ranges::find(*stages, region.anchor, &PlannedStage::name);
  if (derived->pure != product->pairs->axis) return std::nullopt;
  derived->splits_reduction = false;
  const bool pays = pays_in_pairs(*derived);
  const auto structure = std::make_shared<const Structure>(*std::move(derived));
  Alternative pairs = direct_alternative("pairs", structure, target);
  keep_groups(*structure, pairs.parameters);
  pairs.is_default = pays;
  return pairs;
}

bool is_in_framework_layouts(const TaskSpec& spec) {
  return spec.region.op && spec.region.op->kind != OperatorKind::custom && !spec.border.is_free() &&
         spec.border == framework_border(spec.region);
}

// A stage of plain loops may read a tensor that the anchor's layouts split where its own loops
// cannot follow: such a space is reduced to one point, plain loops for every stage.
Space with_legal_default(Space space) {
  const Region& region = space.spec().region;
  if (region.op && region.computations.size() < 2) return space;
  const Trace trace = space.default_trace();
  const Result<Schedule> schedule = apply(trace, region, space.target());
  if (schedule && lower(*schedule, space.target())) return space;
  return Space(space.spec(), space.target(), {}, [](const Point&) { return Trace(); }, {});
}

Space joined_space(const TaskSpec& spec, const Target& target,
                   std::vector<Alternative> alternatives) {
  std::vector<std::vector<Parameter>> parts;
  for (const Alternative& alternative : alternatives) parts.push_back(alternative.parameters);
  const auto shared = std::make_shared<const std::vector<Alternative>>(std::move(alternatives));
  const auto decode_point = [shared](const Point& point) { return decode(*shared, point); };
  return with_legal_default(Space(spec, target, joined_parameters(*shared), decode_point,
                                  default_point(*shared), std::move(parts)));
}

// The space of a region without a product. Channel blocks are the default where neither side has to
// be converted, or where plain layouts have no vectors.
Result<Space> memory_bound_space(const TaskSpec& spec, const Target& target,
                                 const std::optional<FixedLayout>& layout) {
  if (layout)
    return refuse(print(spec), "layout {} has no meaning for a written region", print(*layout));
  std::vector<Alternative> alternatives = {
      memory_bound::alternative(spec.region, target, "direct", "")};
  if (const std::string axis = memory_bound::axis_worth_blocking(spec.region, target);
      !axis.empty()) {
    alternatives.push_back(memory_bound::alternative(spec.region, target, "blocked", axis));
    const memory_bound::Plan plain = memory_bound::derive_plan(spec.region, target);
    const bool has_vectors = plain.stages.back().vectors.front().axis.has_value();
    alternatives.back().is_default = spec.border.is_free() || !has_vectors;
  }
  return joined_space(spec, target, std::move(alternatives));
}

}  // namespace

Point Space::sample(std::mt19937_64& rng) const {
  Point point;
  for (const Parameter& parameter : parameters_)
    point.push_back(drawn(parameter, parameter.domain(point), rng));
  return point;
}

bool Space::contains(const Point& point) const {
  if (point.size() != parameters_.size()) return false;
  Point earlier;
  for (size_t k = 0; k < point.size(); ++k) {
    const std::vector<int64_t> domain = parameters_[k].domain(earlier);
    if (std::find(domain.begin(), domain.end(), point[k]) == domain.end()) return false;
    earlier.push_back(point[k]);
  }
  return true;
}

Trace Space::decode(const Point& point) const {
  CHECK(contains(point), "decode of a point that is not in the space");
  return decode_(point);
}

Result<Space> build_space(const TaskSpec& spec, const Target& target,
                          const std::optional<FixedLayout>& layout, RowAxes rows) {
  if (spec.region.anchor.empty()) return memory_bound_space(spec, target, layout);
  if (const auto chain = derive_chain(spec.region, target); chain && !layout)
    return chain_space(spec, target, *chain);
  std::vector<Alternative> alternatives = {TRY(whole_vectors(spec.region, target, layout, rows))};
  if (!layout && is_in_framework_layouts(spec)) {
    std::optional<Alternative> in_place = TRY(in_place_alternative(*spec.region.op, target));
    if (in_place) alternatives.push_back(std::move(*in_place));
  }
  if (!layout) {
    std::optional<Alternative> half = TRY(half_vectors(spec.region, target, rows));
    if (half) alternatives.push_back(std::move(*half));
  }
  if (std::optional<Alternative> pairs = pairs_alternative(spec.region, target, rows);
      pairs && !layout)
    alternatives.push_back(*std::move(pairs));
  for (const int64_t tile : {2, 4}) {
    if (layout || !spec.region.op) break;  // Winograd chooses layouts of its own
    std::ranges::move(winograd_alternatives(*spec.region.op, target, tile),
                      std::back_inserter(alternatives));
  }
  return joined_space(spec, target, std::move(alternatives));
}

}  // namespace dovetail
