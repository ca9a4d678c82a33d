// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/region_writer.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_regions {

MaybeRegion transpose(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.is_real()) return std::optional<NodeRegion>();
  const size_t rank = write.output_shape().size();
  std::vector<int64_t> reversed;
  for (size_t i = rank; i-- > 0;) reversed.push_back(static_cast<int64_t>(i));
  const std::vector<int64_t> order = TRY(integers_attribute(node, "perm", reversed));
  std::vector<std::string> indices(rank);
  for (size_t i = 0; i < rank; ++i)
    indices.at(static_cast<size_t>(order.at(i))) = RegionWriter::axis(i);
  return std::optional(write.finish(write.output() + "=" + write.read(0, indices)));
}

MaybeRegion concat(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.is_real()) return std::optional<NodeRegion>();
  const auto found = axis_of(TRY(integer_attribute(node, "axis", 0)), write.output_shape().size());
  if (!found) return std::optional<NodeRegion>();
  const size_t axis = *found;
  std::vector<int64_t> ends;
  int64_t end = 0;
  for (size_t i = 0; i < write.num_inputs(); ++i) ends.push_back(end += write.shape(i)[axis]);
  const auto part = [&](size_t i) {
    std::vector<std::string> indices = write.axes();
    if (i > 0) indices[axis] += fmt::format("-{}", ends[i - 1]);
    return write.read(i, indices);
  };
  std::string value = part(write.num_inputs() - 1);
  for (size_t i = write.num_inputs() - 1; i-- > 0;)
    value = fmt::format("select({}<{},{},{})", RegionWriter::axis(axis), ends[i], part(i), value);
  return std::optional(write.finish(write.output() + "=" + value));
}

// Negative indices count from the end. One beyond the axis is an error in ONNX; here the nearest is
// taken.
MaybeRegion gather(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.has_real_output() || write.num_inputs() != 2)
    return std::optional<NodeRegion>();
  const ElementType type = write.input(1).type;
  if (write.input(0).type != ElementType::f32 ||
      (type != ElementType::i64 && type != ElementType::i32))
    return std::optional<NodeRegion>();
  const size_t more = write.shape(1).size();
  const auto found = axis_of(TRY(integer_attribute(node, "axis", 0)), write.shape(0).size());
  if (!found) return std::optional<NodeRegion>();
  const size_t axis = *found;
  const std::vector<std::string> axes = write.axes();
  std::vector<std::string> chosen(axes.begin() + static_cast<std::ptrdiff_t>(axis),
                                  axes.begin() + static_cast<std::ptrdiff_t>(axis + more));
  const int64_t extent = write.shape(0)[axis];
  const std::string index = write.read(1, chosen);
  std::vector<std::string> indices(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(axis));
  indices.push_back(
      fmt::format("clamp(select({0}<0,{0}+{1},{0}),0,{2})", index, extent, extent - 1));
  indices.insert(indices.end(), axes.begin() + static_cast<std::ptrdiff_t>(axis + more),
                 axes.end());
  return std::optional(write.finish(write.output() + "=" + write.read(0, indices)));
}

}  // namespace dovetail::node_regions
