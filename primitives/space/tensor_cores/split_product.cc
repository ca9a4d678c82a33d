// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/split_product.h"

#include <algorithm>

#include "primitives/algorithm/planned_stage.h"
#include "primitives/algorithm/split_factors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/layouts/decode_layouts.h"

namespace dovetail::tensor_cores {
namespace {

TensorLayout layout_of(const std::string& tensor, const std::vector<TensorLayout>& layouts) {
  const auto found = std::ranges::find(layouts, tensor, &TensorLayout::tensor);
  return found == layouts.end() ? TensorLayout{tensor, {}} : *found;
}

std::vector<LoopPrimitive> loops_of_stage(const Computation& stage, const TensorLayout& layout,
                                          const Target& target) {
  const std::vector<LogicalDim>& dims = stage.tensors.back().dims;
  std::vector<PhysicalAxis> axes = applied(layout, dims).axes;
  // A vector of parts is one of the factor where both have the same dim innermost.
  const bool is_vector = axes.back().digits.back().dim + 1 == std::ssize(dims);
  std::erase_if(axes, [](const PhysicalAxis& axis) { return axis.name == kPartOfFactor; });
  std::vector<LoopPrimitive> list;
  const SharedSum shared = execution_rules(target).share_sum(axes, target, list);
  list.emplace_back(reorder_around(kPartOfFactor, shared));
  list.emplace_back(loop::Unroll{kPartOfFactor});
  for (const std::string& name : shared.lanes)
    list.push_back(is_vector ? LoopPrimitive(loop::Vectorize{name}) : loop::Unroll{name});
  list.insert(list.end(), shared.sharing.begin(), shared.sharing.end());
  return list;
}

}  // namespace

std::optional<Region> with_split_factors(const Region& region) {
  const Result<std::vector<PlannedStage>> stages = plan_stages(region, kSplit);
  if (!stages) return std::nullopt;
  Region split{.computations = {}, .outputs = region.outputs, .anchor = region.anchor};
  for (const PlannedStage& stage : *stages)
    split.computations.push_back({stage.name, stage.computation});
  return split;
}

std::vector<StageLoops> loops_of_parts(const Region& split,
                                       const std::vector<TensorLayout>& layouts,
                                       const Target& target) {
  std::vector<StageLoops> loops;
  for (const NamedComputation& stage : split.computations) {
    const Tensor& made = stage.computation.tensors.back();
    if (made.dims.front().name == kPartOfFactor)
      loops.push_back(
          {stage.name, loops_of_stage(stage.computation, layout_of(made.name, layouts), target)});
  }
  return loops;
}

}  // namespace dovetail::tensor_cores
