// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/space.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "core/base/check.h"
#include "core/ir/region/region_text.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/refuse.h"
#include "primitives/space/alternatives.h"
#include "primitives/space/chains/chain_space.h"
#include "primitives/space/direct/direct.h"
#include "primitives/space/inner_product/inner_product_space.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/memory_bound/memory_bound_space.h"
#include "primitives/space/tensor_cores/alternatives.h"
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

namespace {

using Alternatives = std::vector<Alternative>;

// The other algorithms.
void add_algorithms(const TaskSpec& spec, const Target& target, RowAxes rows,
                    const std::optional<FixedLayout>& layout, Alternatives& alternatives) {
  if (auto pairs = inner_product_alternative(spec.region, target, rows, layout))
    alternatives.push_back(*std::move(pairs));
  if (!spec.region.op) return;
  for (const int64_t tile : {2, 4})
    std::ranges::move(winograd_alternatives(*spec.region.op, target, tile, layout),
                      std::back_inserter(alternatives));
}

// Other layouts of the direct sum.
Result<void> add_direct_layouts(const TaskSpec& spec, const Target& target, RowAxes rows,
                                Alternatives& alternatives) {
  const auto add = [&](std::optional<Alternative> alternative) {
    if (alternative) alternatives.push_back(*std::move(alternative));
  };
  if (is_in_framework_layouts(spec)) add(TRY(in_place_alternative(*spec.region.op, target)));
  if (runs_threads(target)) add(TRY(half_vectors(spec.region, target, rows)));
  std::ranges::move(tensor_cores::alternatives(spec.region, target),
                    std::back_inserter(alternatives));
  return {};
}

}  // namespace

Result<Space> build_space(const TaskSpec& spec, const Target& target,
                          const std::optional<FixedLayout>& layout, RowAxes rows,
                          InLayout algorithms) {
  if (spec.region.anchor.empty()) return memory_bound_space(spec, target, layout);
  if (const auto chain = derive_chain(spec.region, target); chain && !layout)
    return chain_space(spec, target, *chain);
  Alternatives alternatives = {TRY(direct_alternative(spec.region, target, layout, rows))};
  if (!layout) TRY(add_direct_layouts(spec, target, rows, alternatives));
  if (!layout || algorithms == InLayout::any_algorithm)
    add_algorithms(spec, target, rows, layout, alternatives);
  return joined_space(spec, target, std::move(alternatives));
}

}  // namespace dovetail
