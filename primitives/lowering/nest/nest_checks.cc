// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/nest_checks.h"

#include <algorithm>
#include <optional>

#include "core/ir/index/bounded_range.h"
#include "core/ir/index/element_stride.h"
#include "core/ir/value/walk.h"
#include "primitives/loop/default_loops.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/lowering/nest/attached_stages.h"
#include "primitives/lowering/stage_passes.h"
#include "primitives/refuse.h"

namespace dovetail {

const std::string* lane_of(const Stage& stage) {
  if (stage.loops.empty() || stage.loops.back().kind != LoopKind::vectorized) return nullptr;
  return &stage.loops.back().name;
}

bool mentions_lane(const Stage& stage, const std::vector<Bound>& bounds) {
  const std::string* lane = lane_of(stage);
  return lane != nullptr && std::ranges::any_of(bounds, [&](const Bound& bound) {
           return bound.expr.mentions(*lane);
         });
}

const Stage* maker_of(const StageInKernel& kernel, const std::string& tensor) {
  const Stage* own = attached_maker(std::span(&kernel.stage, 1), tensor);
  return own != nullptr ? own : attached_maker(kernel.attached, tensor);
}

TypeOfLoad types_of_loads(const StageInKernel& kernel, const Computation& computation) {
  return [&](const Value& leaf) {
    const auto* load = leaf.as<Load>();
    const auto tensor = std::ranges::find(kernel.tensors, load == nullptr ? "" : load->buffer,
                                          &ScheduledTensor::name);
    return tensor == kernel.tensors.end() ? type_of(computation, Reduced{})
                                          : computed_type(tensor->type);
  };
}

std::vector<int64_t> stored_extents(const StageInKernel& kernel, const std::string& tensor) {
  const Stage* maker = maker_of(kernel, tensor);
  return maker == nullptr ? physical_extents(tensor_named(kernel.tensors, tensor).layout)
                          : tile_extents(*maker->attachment);
}

Result<void> check_lanes(const StageInKernel& kernel, const std::string& tensor,
                         const std::vector<IndexExpr>& indices, int64_t most) {
  const std::string* lane = lane_of(kernel.stage);
  if (lane == nullptr) return {};
  const std::string what = "vectorized loop " + *lane;
  const Result<int64_t> stride = element_stride(indices, stored_extents(kernel, tensor), *lane);
  if (!stride) return refuse(what, "{} of {}", stride.error().message, tensor);
  if (*stride >= 0 && *stride <= most) return {};
  return refuse(what,
                "lanes of {} are {} elements apart, expected {}; the axis must be innermost in its "
                "layout",
                tensor, *stride, most == 1 ? "0 or 1" : "0, 1 or 2");
}

Result<void> check_texels(const StageInKernel& kernel, const std::vector<IndexExpr>& written) {
  const Stage& stage = kernel.stage;
  const std::string& output = stage.computation.output.tensor;
  const Layout& layout = tensor_named(kernel.tensors, output).layout;
  if (!is_texture(layout.scope)) return {};
  const std::string* lane = lane_of(stage);
  if (lane == nullptr || !(written.back() == IndexExpr::variable(*lane))) {
    return refuse("layout " + output,
                  "scope {} is written in whole texels, expected its innermost axis {} vectorized",
                  print(layout.scope), layout.axes.back().name);
  }
  const auto outside = std::span(stage.loops)
                           .first(stage.cache_write_at ? tile_position(stage) : stage.loops.size());
  if (std::ranges::none_of(outside, &StageLoop::reduction)) return {};
  return refuse("layout " + output,
                "scope {} cannot hold a sum that grows, expected cache_write outside of all its "
                "reduction loops",
                print(layout.scope));
}

Result<void> check_inside(const StageInKernel& kernel, const std::string& tensor,
                          const RewrittenAccess& access) {
  const std::vector<int64_t> extents = stored_extents(kernel, tensor);
  std::vector<Bound> bounds = access.bounds;
  bounds.insert(bounds.end(), kernel.stage.bounds.begin(), kernel.stage.bounds.end());
  for (const Bound& bound : access.bounds) bounds.push_back(without_division(bound));
  for (size_t a = 0; a < extents.size(); ++a) {
    const std::optional<Range> range =
        bounded_range(access.indices[a], loop_ranges(kernel.stage), bounds);
    if (range && (range->min > range->max || (range->min >= 0 && range->max < extents[a])))
      continue;
    return refuse(
        "layout " + tensor,
        "index {} of axis {} cannot be shown to lie in 0..{}; pad instead of reading outside",
        print(access.indices[a]), tensor_named(kernel.tensors, tensor).layout.axes[a].name,
        extents[a] - 1);
  }
  return {};
}

namespace {

bool divides(const IndexExpr& index, const std::string& lane) {
  return std::ranges::any_of(index.terms(), [&](const IndexTerm& term) {
    return term.atom.inner && term.atom.inner->mentions(lane);
  });
}

}  // namespace

Result<Bound> evenly_in_lanes(const Stage& stage, const std::string& tensor, const Bound& bound) {
  const std::string* lane = lane_of(stage);
  if (lane == nullptr) return bound;
  if (!divides(bound.expr, *lane)) return bound;
  Bound even = without_division(bound);
  if (!divides(even.expr, *lane)) return even;
  return refuse("vectorized loop " + *lane, "a bound of {} divides it ({}); pad instead", tensor,
                print(bound.expr));
}

Result<std::vector<Bound>> stored_bounds(const StageInKernel& kernel) {
  const Stage& stage = kernel.stage;
  const std::string& output = stage.computation.output.tensor;
  const ScheduledTensor& tensor = tensor_named(kernel.tensors, output);
  std::vector<Bound> bounds;
  if (!tensor.outside) return bounds;
  const Ranges ranges = loop_ranges(stage);
  for (size_t j = 0; j < tensor.layout.logical.size(); ++j) {
    const std::string& axis = stage.computation.output.indices[j].terms()[0].atom.variable;
    const IndexExpr& at = stage.axis_values.find(axis)->second;
    const int64_t extent = tensor.layout.logical[j].extent;
    const Range range = range_of(at, ranges);
    if (range.min < 0 || range.max >= extent)
      bounds.push_back(TRY(evenly_in_lanes(stage, output, {at, 0, extent})));
  }
  return bounds;
}

Result<void> check_numbers(const Stage& stage) {
  const std::string* lane = lane_of(stage);
  if (lane == nullptr) return {};
  const Ranges ranges = loop_ranges(stage);
  std::optional<IndexExpr> uneven;
  const auto find_uneven = [&](const Value& node) {
    const auto* number = node.as<IndexValue>();
    if (number == nullptr) return;
    const IndexExpr index = substitute(number->index, stage.axis_values, ranges);
    if (divides(index, *lane)) uneven = index;
  };
  for_each_node(stage.computation.element, find_uneven);
  for_each_node(stage.computation.result, find_uneven);
  if (!uneven) return {};
  return refuse("vectorized loop " + *lane, "a number divides it ({}); expected it even",
                print(*uneven));
}

// Fails where a loop inside this one determines its iteration.
Result<void> check_known_outside(const Stage& stage, const StageLoop& chosen,
                                 const GatherIndex& index) {
  const Ranges ranges = loop_ranges(stage);
  std::vector<IndexExpr> needed;
  for_each_index(index.value, stage.computation.reads,
                 [&](const IndexExpr& e) { needed.push_back(e); });
  bool inside = false;
  for (const StageLoop& loop : stage.loops) {
    inside = inside || loop.name == chosen.name;
    for (const IndexExpr& e : needed) {
      if (!inside || !substitute(e, stage.axis_values, ranges).mentions(loop.name)) continue;
      return refuse("stage " + stage.name,
                    "loop {} is chosen by what loop {} decides, expected it inside", chosen.name,
                    loop.name);
    }
  }
  return {};
}

// The loop over groups of pairs is not what it was when the other stage was attached.
Result<void> check_outside_pairs(const Stage& stage, const Stage& other) {
  if (!stage.pairs) return {};
  const std::string prefix = stage.name + ".";
  for (const StageLoop& around : other.attachment->around) {
    if (!around.name.starts_with(prefix)) continue;
    const auto same = std::ranges::find_if(stage.loops, [&](const StageLoop& loop) {
      return prefix + loop.name == around.name && loop.extent == around.extent;
    });
    if (same == stage.loops.end())
      return refuse("stage " + other.name, "runs inside loop {}, which counts pairs", around.name);
  }
  return {};
}

}  // namespace dovetail
