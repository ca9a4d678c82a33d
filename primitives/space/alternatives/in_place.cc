// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/alternatives/in_place.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "primitives/space/decode.h"
#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/merged_dims.h"
#include "primitives/space/parameters.h"

namespace dovetail {
namespace {

// Fixes the layouts of activations; weights keep their choices.
std::vector<Parameter> with_kept_activations(std::vector<Parameter> all, const Structure& s) {
  std::vector<Parameter> kept = with_layout(all, s, FixedLayout::nohw);
  for (size_t k = 0; k < all.size(); ++k) {
    const auto tensor = std::ranges::find(s.computation.tensors, all[k].tensor, &Tensor::name);
    const bool is_constant =
        tensor != s.computation.tensors.end() && tensor->role == TensorRole::constant;
    if (is_constant && all[k].kind != ParameterKind::store_at) kept[k] = std::move(all[k]);
  }
  return kept;
}

// Offers no copies, because a tile of three fused dims is no box of them.
std::vector<Parameter> without_copies(std::vector<Parameter> parameters) {
  for (Parameter& parameter : parameters)
    if (parameter.kind == ParameterKind::cache_read)
      parameter.domain = [](const Point&) { return std::vector<int64_t>{kNowhere}; };
  return parameters;
}

// Keeps only tiles that divide their axes, so that nothing is padded.
std::vector<Parameter> with_whole_tiles(std::vector<Parameter> parameters, const Structure& s) {
  for (Parameter& parameter : parameters) {
    const bool cuts = parameter.kind == ParameterKind::register_tile ||
                      parameter.kind == ParameterKind::unroll_part;
    if (!cuts) continue;
    const int64_t extent = s.axis(parameter.axis).extent;
    parameter.domain = [own = parameter.domain, extent](const Point& earlier) {
      std::vector<int64_t> values = own(earlier);
      const int64_t least = values.front();
      std::erase_if(values, [&](int64_t value) { return extent % value != 0; });
      return values.empty() ? std::vector<int64_t>{least} : values;
    };
  }
  return parameters;
}

}  // namespace

Result<std::optional<Alternative>> in_place_alternative(const Operator& op, const Target& target) {
  const Computation own = define(op);
  const auto merged = std::make_shared<const MergedDims>(with_merged_dims(own));
  const Computation& c = merged->computation;
  const std::string lanes_over = tensor_named(c, c.output.tensor).dims.back().name;
  Structure s = TRY(derive_structure(c, target, lanes_over));
  if (s.vector_axis.empty() || !s.phased.empty()) return std::optional<Alternative>();
  s.lanes = std::gcd(s.lanes, s.axis(s.vector_axis).extent);
  if (s.lanes * 2 < target.vector_lanes) return std::optional<Alternative>();
  s.sums_fit_output = tensor_named(c, c.output.tensor).type == ElementType::f32;
  s.stage = std::string(name_of(op.kind));
  const auto structure = std::make_shared<const Structure>(std::move(s));
  std::vector<Parameter> parameters =
      with_kept_activations(derive_parameters(structure, target), *structure);
  if (merged->dims.size() > 1) parameters = without_copies(std::move(parameters));
  return Alternative{
      .name = "in_place",
      .parameters = with_whole_tiles(std::move(parameters), *structure),
      .decode =
          [structure, merged, target, tensors = own.tensors](const Choices& choices) {
            Trace trace = decode(*structure, target, choices);
            fuse_in_layouts(merged->dims, tensors, trace);
            return trace;
          },
      .wanted = default_choices(*structure, target),
      .is_default = structure->lanes == target.vector_lanes};
}

}  // namespace dovetail
