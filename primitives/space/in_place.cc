// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/in_place.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "primitives/layout/axis_primitives.h"
#include "primitives/space/decode.h"
#include "primitives/space/default_rule.h"
#include "primitives/space/fixed_layout.h"
#include "primitives/space/parameters.h"

namespace dovetail {
namespace {

// The position of the dim that the axis alone indexes, windows of one tap left out; -1: there is
// none. Nothing: the axis occurs otherwise.
std::optional<int> place_of(const Access& access, const Tensor& tensor, const Axis& axis,
                            const Computation& c) {
  int place = -1;
  for (size_t j = 0; j < access.indices.size(); ++j) {
    IndexExpr index = access.indices[j];
    if (!index.mentions(axis.name)) continue;
    for (const Axis& other : c.axes)
      if (other.extent == 1 && other.name != axis.name)
        index = index - IndexExpr::variable(other.name) * index.coefficient(other.name);
    if (place >= 0 || !(index == IndexExpr::variable(axis.name)) ||
        tensor.dims[j].extent != axis.extent)
      return std::nullopt;
    place = static_cast<int>(j);
  }
  return place;
}

bool lie_together(const Access& access, const Computation& c, const Axis& first,
                  const Axis& second) {
  const Tensor& tensor = tensor_named(c, access.tensor);
  const std::optional<int> a = place_of(access, tensor, first, c);
  const std::optional<int> b = place_of(access, tensor, second, c);
  if (!a || !b || !access.conditions.empty()) return false;
  return (*a < 0 && *b < 0) || (*a >= 0 && *b == *a + 1);
}

const Axis& axis_named(const Computation& c, const std::string& name) {
  return *std::ranges::find(c.axes, name, &Axis::name);
}

// Every access and tensor with the two dims as one.
void merge(Computation& c, const Axis& first, const Axis& second) {
  const std::string name = fused_name(first.name, second.name);
  std::vector<std::string> done;
  const auto merge_access = [&](Access& access) {
    Tensor& tensor = *std::ranges::find(c.tensors, access.tensor, &Tensor::name);
    for (size_t j = 0; j + 1 < access.indices.size(); ++j) {
      if (!access.indices[j].mentions(first.name)) continue;
      access.indices[j] = IndexExpr::variable(name);
      access.indices.erase(access.indices.begin() + static_cast<ptrdiff_t>(j) + 1);
      if (std::ranges::find(done, tensor.name) != done.end()) return;
      done.push_back(tensor.name);
      tensor.dims[j] = {name, first.extent * second.extent};
      tensor.dims.erase(tensor.dims.begin() + static_cast<ptrdiff_t>(j) + 1);
      return;
    }
  };
  for (Access& access : c.reads) merge_access(access);
  merge_access(c.output);
  const Axis one{name, first.extent * second.extent, false};
  *std::ranges::find(c.axes, first.name, &Axis::name) = one;
  std::erase_if(c.axes, [&](const Axis& axis) { return axis.name == second.name; });
}

bool merge_one(MergedDims& merged) {
  Computation& c = merged.computation;
  const std::vector<LogicalDim> dims = tensor_named(c, c.output.tensor).dims;
  for (size_t j = dims.size(); j-- > 1;) {
    const Axis first = axis_named(c, dims[j - 1].name), second = axis_named(c, dims[j].name);
    if (first.extent == 1 || second.extent == 1) continue;
    const auto together = [&](const Access& a) { return lie_together(a, c, first, second); };
    if (!std::ranges::all_of(c.reads, together)) continue;
    merge(c, first, second);
    merged.dims.emplace_back(first.name, second.name);
    return true;
  }
  return false;
}

// Activations stay as they are; weights keep their choices.
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

// Tiles divide what they cut, so that nothing is padded.
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

// Each tensor that had the dims gets them fused before anything else.
void fuse_dims(const MergedDims& merged, const std::vector<Tensor>& own, Trace& trace) {
  for (TensorLayout& lines : trace.layouts) {
    const auto tensor = std::ranges::find(own, lines.tensor, &Tensor::name);
    if (tensor == own.end()) continue;
    std::vector<std::string> names;
    for (const LogicalDim& dim : tensor->dims) names.push_back(dim.name);
    std::vector<LayoutPrimitive> fuses;
    for (const auto& [first, second] : merged.dims) {
      const auto at = std::ranges::find(names, first);
      if (at == names.end() || std::ranges::find(names, second) == names.end()) continue;
      fuses.emplace_back(layout::Fuse{first, second});
      *at = fused_name(first, second);
      names.erase(at + 1);
    }
    lines.primitives.insert(lines.primitives.begin(), fuses.begin(), fuses.end());
  }
}

}  // namespace

MergedDims with_merged_dims(const Computation& computation) {
  MergedDims merged{computation, {}};
  while (merge_one(merged)) {
  }
  return merged;
}

Result<std::optional<Alternative>> in_place_alternative(const Operator& op, const Target& target) {
  const Computation own = define(op);
  const auto merged = std::make_shared<const MergedDims>(with_merged_dims(own));
  const Computation& c = merged->computation;
  const std::string lanes_over = tensor_named(c, c.output.tensor).dims.back().name;
  Structure s = TRY(derive_structure(c, target, lanes_over));
  if (s.vector_axis.empty() || !s.phased.empty()) return std::optional<Alternative>();
  s.lanes = std::gcd(s.lanes, s.axis(s.vector_axis).extent);
  if (s.lanes * 2 < target.vector_lanes) return std::optional<Alternative>();
  s.sums_fit_output = op.dtype == ElementType::f32;
  s.stage = std::string(name_of(op.kind));
  const auto structure = std::make_shared<const Structure>(std::move(s));
  std::vector<Parameter> parameters =
      with_kept_activations(derive_parameters(structure, target), *structure);
  return Alternative{
      .name = "in_place",
      .parameters = with_whole_tiles(std::move(parameters), *structure),
      .decode =
          [structure, merged, target, tensors = own.tensors](const Choices& choices) {
            Trace trace = decode(*structure, target, choices);
            fuse_dims(*merged, tensors, trace);
            return trace;
          },
      .wanted = default_choices(*structure, target),
      .is_default = structure->lanes == target.vector_lanes};
}

}  // namespace dovetail
