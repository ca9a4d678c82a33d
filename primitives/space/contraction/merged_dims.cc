// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/contraction/merged_dims.h"

#include <algorithm>
#include <optional>

#include "core/base/check.h"
#include "primitives/layout/axis_primitives.h"

namespace dovetail {
namespace {

// Position of the dim of that name that the axis alone indexes, ignoring windows of one tap; -1:
// the access lacks the axis; nullopt: it uses the axis otherwise.
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
        tensor.dims[j].extent != axis.extent || tensor.dims[j].name != axis.name)
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

// Merges the two dims into one in every access and tensor.
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

bool merge_one(MergedDims& merged, size_t first_dim) {
  Computation& c = merged.computation;
  const std::vector<LogicalDim> dims = tensor_named(c, c.output.tensor).dims;
  for (size_t j = dims.size(); j-- > first_dim + 1;) {
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

}  // namespace

MergedDims with_merged_dims(const Computation& computation, size_t first_dim) {
  MergedDims merged{computation, {}};
  while (merge_one(merged, first_dim)) {
  }
  return merged;
}

void fuse_in_layouts(const DimPairs& merged, const std::vector<Tensor>& own, Trace& trace) {
  for (TensorLayout& lines : trace.layouts) {
    const auto tensor = std::ranges::find(own, lines.tensor, &Tensor::name);
    if (tensor == own.end()) continue;
    std::vector<std::string> names;
    for (const LogicalDim& dim : tensor->dims) names.push_back(dim.name);
    std::vector<LayoutPrimitive> fuses;
    for (const auto& [first, second] : merged) {
      const auto at = std::ranges::find(names, first);
      if (at == names.end() || std::ranges::find(names, second) == names.end()) continue;
      fuses.emplace_back(layout::Fuse{first, second});
      *at = fused_name(first, second);
      names.erase(at + 1);
    }
    lines.primitives.insert(lines.primitives.begin(), fuses.begin(), fuses.end());
  }
}

void take_apart(const DimPairs& merged, std::vector<std::string>& names) {
  for (auto pair = merged.rbegin(); pair != merged.rend(); ++pair) {
    const auto at = std::ranges::find(names, fused_name(pair->first, pair->second));
    if (at == names.end()) continue;
    *at = pair->first;
    names.insert(at + 1, pair->second);
  }
}

void fuse_in_loops(const DimPairs& merged, Trace& trace) {
  if (merged.empty()) return;
  for (TensorLayout& lines : trace.layouts)
    for (LayoutPrimitive& primitive : lines.primitives)
      if (auto* order = std::get_if<layout::Reorder>(&primitive)) take_apart(merged, order->axes);
  CHECK(!trace.loops.empty(), "a trace of a space has loops");
  std::vector<LoopPrimitive> fuses;
  for (const auto& [first, second] : merged) fuses.emplace_back(loop::Fuse{first, second});
  std::vector<LoopPrimitive>& own = trace.loops.front().primitives;
  own.insert(own.begin(), fuses.begin(), fuses.end());
}

}  // namespace dovetail
