// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/direct/direct.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "primitives/space/contraction/execution.h"
#include "primitives/space/contraction/merged_dims.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {
namespace {

// Fixes the layouts of activations; weights keep their choices.
std::vector<Parameter> with_kept_activations(std::vector<Parameter> all,
                                             const ContractionFacts& s) {
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
void leave_out_copies(std::vector<Parameter>& parameters) {
  for (Parameter& parameter : parameters)
    if (parameter.kind == ParameterKind::cache_read) fix_value(kNowhere, parameter);
}

// Keeps only tiles that divide their axes, so that nothing is padded.
void keep_whole_tiles(const ContractionFacts& s, std::vector<Parameter>& parameters) {
  for (Parameter& parameter : parameters) {
    if (parameter.kind != ParameterKind::register_tile &&
        parameter.kind != ParameterKind::unroll_part)
      continue;
    change_domain(parameter, [extent = s.axis(parameter.axis).extent](std::vector<int64_t> values) {
      const int64_t least = values.front();
      std::erase_if(values, [&](int64_t value) { return extent % value != 0; });
      return values.empty() ? std::vector<int64_t>{least} : values;
    });
  }
}

}  // namespace

Result<std::optional<Alternative>> in_place_alternative(const Operator& op, const Target& target) {
  const Computation own = define(op);
  const auto merged = std::make_shared<const MergedDims>(with_merged_dims(own));
  const Computation& c = merged->computation;
  ContractionPlan plan{
      .facts = TRY(derive_facts(c, target, tensor_named(c, c.output.tensor).dims.back().name)),
      .stage = std::string(name_of(op.kind))};
  ContractionFacts& s = plan.facts;
  if (s.vector_axis.empty() || !s.phased.empty()) return std::optional<Alternative>();
  plan.shares_reduction = is_reduction_worth_sharing(s, target);
  plan.sums_in_parts = can_hold_sums(c);
  s.lanes = std::gcd(s.lanes, s.axis(s.vector_axis).extent);
  if (s.lanes * 2 < vector_lanes(target)) return std::optional<Alternative>();
  const bool is_full = s.lanes == vector_lanes(target);
  const ContractionFacts facts = s;
  Alternative alternative = common_alternative("in_place", std::move(plan), target);
  alternative.parameters = with_kept_activations(std::move(alternative.parameters), facts);
  if (merged->dims.size() > 1) leave_out_copies(alternative.parameters);
  keep_whole_tiles(facts, alternative.parameters);
  alternative.decode = [own_decode = std::move(alternative.decode), merged,
                        tensors = own.tensors](const Choices& choices) {
    Trace trace = own_decode(choices);
    fuse_in_layouts(merged->dims, tensors, trace);
    return trace;
  };
  alternative.is_default = is_full;
  return std::optional(std::move(alternative));
}

}  // namespace dovetail
