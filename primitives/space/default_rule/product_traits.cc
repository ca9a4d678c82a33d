// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/default_rule/product_traits.h"

#include "core/ir/intrinsic/intrinsic.h"
#include "core/ir/intrinsic/nvidia.h"
#include "primitives/space/machine_facts.h"

namespace dovetail {

ProductTraits::ProductTraits(const ContractionPlan& own, const Target& on)
    : plan(own),
      s(own.facts),
      target(on),
      shares_group(own.group && own.group->shares_values),
      repeats_group(own.group && !own.group->shares_values) {
  for (auto axis = s.tiled.rbegin(); axis != s.tiled.rend(); ++axis)
    if (*axis != s.vector_axis && rows.size() < 3) rows.push_back(*axis);
}

bool ProductTraits::shares_vectors() const {
  return !s.vector_axis.empty() && s.axis(s.vector_axis).kind == AxisClass::shared;
}

int64_t ProductTraits::channels_of_neighbours() const {
  constexpr int64_t kBlock = 8;  // as in an instruction's operands
  if (!shares_vectors() || !is_half(s.tensor(s.inputs()[0].tensor).type)) return 0;
  const Intrinsic* product =
      find_intrinsic(wgmma_of(s.tensor(s.inputs()[0].tensor).type, kWgmmaColumns.front()));
  const bool has_product = product != nullptr && has_instruction(target, *product);
  return has_product && s.axis(s.vector_axis).extent % kBlock == 0 ? kBlock : 0;
}

int64_t ProductTraits::weight_bytes() const {
  return s.inputs().size() < 2 ? 0 : bytes_of(s, s.inputs()[1].tensor);
}

double ProductTraits::panel_bytes(int64_t vectors) const {
  return terms_of(s) * static_cast<double>(element_bytes(s, 1) * vectors * s.lanes);
}

bool ProductTraits::x_is_large() const {
  return leaves_caches(bytes_of(s, s.inputs()[0].tensor), target);
}

bool ProductTraits::w_is_small() const {
  return weight_bytes() <= cache_shares(target).few_weights;
}

bool ProductTraits::is_memory_bound() const {
  if (!runs_threads(target) || s.inputs().size() < 2) return false;
  const bool reduces_channels = !s.pure.empty() && !s.vector_axis.empty() && !shares_vectors();
  return reduces_channels && s.phased.empty() && s.windows.empty() && x_is_large() && w_is_small();
}

bool ProductTraits::is_product_of_rows(int64_t columns) const {
  if (!s.windows.empty() || !s.phased.empty() || s.vector_axis.empty()) return false;
  const auto is_last = [&](const Access& access, const std::string& axis) {
    return !access.indices.empty() && access.indices.back() == IndexExpr::variable(axis) &&
           s.tensor(access.tensor).dims.back().extent == s.axis(axis).extent;
  };
  return is_last(s.inputs()[0], s.pure) && is_last(s.computation.output, s.vector_axis) &&
         s.axis(s.vector_axis).extent % columns == 0;
}

bool ProductTraits::keeps_order(int64_t columns) const {
  return !s.pure.empty() && !repeats_group && is_product_of_rows(columns);
}

}  // namespace dovetail
