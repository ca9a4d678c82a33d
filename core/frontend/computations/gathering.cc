// SPDX-License-Identifier: Apache-2.0
// Elements chosen by data. Negative indices count from the end; one out of range is an error
// (named_elements.h), but kernels clamp it.
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using Names = std::vector<std::string>;

Names part(const Names& names, size_t begin, size_t end) {
  return {names.begin() + static_cast<std::ptrdiff_t>(begin),
          names.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

Result<NodeRegion> gather(RegionWriter& write) {
  if (write.computed(1) != ComputedType::integer) return refuse("indices that are no integers");
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", 0)), write.shape(0).size());
  if (!axis) return refuse("an axis beyond its rank");
  const size_t more = write.shape(1).size();
  const Names axes = write.axes();
  if (axes.size() + 1 != write.shape(0).size() + more) return refuse("an output of another rank");
  const std::string index = write.read(1, part(axes, *axis, *axis + more));
  Names indices = part(axes, 0, *axis);
  indices.push_back(index_text(index, write.shape(0)[*axis]));
  for (const std::string& rest : part(axes, *axis + more, axes.size())) indices.push_back(rest);
  return write.finish_one(write.read(0, indices));
}

Result<NodeRegion> gather_elements(RegionWriter& write) {
  if (write.computed(1) != ComputedType::integer) return refuse("indices that are no integers");
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", 0)), write.shape(0).size());
  if (!axis) return refuse("an axis beyond its rank");
  Names indices = write.axes();
  indices[*axis] = index_text(write.read(1, write.axes()), write.shape(0)[*axis]);
  return write.finish_one(write.read(0, indices));
}

Result<NodeRegion> gather_nd(RegionWriter& write) {
  if (write.computed(1) != ComputedType::integer) return refuse("indices that are no integers");
  const auto batches = static_cast<size_t>(TRY(integer_attribute(write.node(), "batch_dims", 0)));
  const std::vector<int64_t>& shape = write.shape(0);
  if (write.shape(1).empty()) return refuse("indices without an axis");
  const size_t outer = write.shape(1).size() - 1;
  const auto depth = static_cast<size_t>(write.shape(1).back());
  if (batches + depth > shape.size() || batches > outer) return refuse("indices of more axes");
  const Names axes = write.axes();
  if (axes.size() + depth + batches != outer + shape.size())
    return refuse("an output of another rank");
  Names indices = part(axes, 0, batches);
  for (size_t k = 0; k < depth; ++k) {
    Names chosen = part(axes, 0, outer);
    chosen.push_back(std::to_string(k));
    indices.push_back(index_text(write.read(1, chosen), shape[batches + k]));
  }
  for (const std::string& rest : part(axes, outer, axes.size())) indices.push_back(rest);
  return write.finish_one(write.read(0, indices));
}

// The depth is taken from the output's shape; the values are "off", then "on".
Result<NodeRegion> one_hot(RegionWriter& write) {
  const size_t rank = write.output_shape().size();
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", -1)), rank);
  if (!axis) return refuse("an axis beyond its rank");
  if (write.computed(2) != write.made()) return refuse("values of another type");
  Names others = write.axes();
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(*axis));
  const std::string place = write.read(0, others);
  return write.finish_one(fmt::format("select(select({0}<0,{0}+{1},{0})=={2},{3},{4})", place,
                                      write.output_shape()[*axis], RegionWriter::axis(*axis),
                                      write.read(2, {"1"}), write.read(2, {"0"})));
}

}  // namespace dovetail::node_rules
