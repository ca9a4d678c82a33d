// SPDX-License-Identifier: Apache-2.0
// Where the greatest elements are, and what goes before others.
#include <fmt/format.h>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {

// The first place of the greatest (least) element, or the last one.
Result<NodeRegion> arg_extremum(RegionWriter& write) {
  const GraphNode& node = write.node();
  const auto axis = axis_of(TRY(integer_attribute(node, "axis", 0)), write.shape(0).size());
  if (!axis) return refuse("an axis beyond its rank");
  const bool last = TRY(integer_attribute(node, "select_last_index", 0)) != 0;
  const bool keeps = TRY(integer_attribute(node, "keepdims", 1)) != 0;
  const int64_t extent = write.shape(0)[*axis];
  write.add_axis("r", extent);
  std::vector<std::string> made = write.axes(), indices = made;
  const auto place = indices.begin() + static_cast<std::ptrdiff_t>(*axis);
  if (keeps)
    *place = "r";
  else
    indices.insert(place, "r");
  const std::string x = write.read(0, indices), read = element_of("M", made);
  const std::string best = made.empty() ? "M[z]" : read;
  const std::string chosen =
      fmt::format("{}(select({}=={},r,{}))", last ? "max" : "min", x, read, last ? -1 : extent);
  return write.finish(fmt::format("{}={}({});{}", best, node.type == "ArgMax" ? "max" : "min", x,
                                  write.reduced_statements(chosen)));
}

// 1 at the first of the greatest elements, 0 elsewhere.
Result<NodeRegion> hardmax(RegionWriter& write) {
  const size_t rank = write.shape(0).size();
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", -1)), rank);
  if (!axis) return refuse("an axis beyond its rank");
  const bool flattened = TRY(integer_attribute(write.node(), "flattened", 0)) != 0;
  if (flattened && *axis + 1 < rank) return refuse("over several axes");
  const int64_t extent = write.shape(0)[*axis];
  write.add_axis("r", extent);
  write.add_axis("z", 1);
  std::vector<std::string> made = write.axes(), seen = made, indices = made;
  made[*axis] = "z";
  seen[*axis] = "0";
  indices[*axis] = "r";
  const std::string x = write.read(0, indices);
  return write.finish(
      fmt::format("{0}=max({1});{2}=min(select({1}=={7},r,{3}));{4}=select({5}=={6},1,0)",
                  element_of("M", made), x, element_of("P", made), extent, write.output(),
                  element_of("P", seen), RegionWriter::axis(*axis), element_of("M", seen)));
}

// Each element adds up those before it: a scan is no region, so that axes are short.
Result<NodeRegion> cumulative_sum(RegionWriter& write) {
  constexpr int64_t kLongest = 4096;
  const TensorId id = input_at(write.node(), 1);
  const auto known = TRY(
      numbers_of(write.node(), "axis", id == kNoTensor ? nullptr : &tensor_of(write.graph(), id)));
  if (!known || known->size() != 1) return refuse("an axis that is only known at run time");
  const auto axis = axis_of(known->front(), write.output_shape().size());
  if (!axis) return refuse("an axis beyond its rank");
  const int64_t extent = write.output_shape()[*axis];
  if (extent > kLongest) return refuse(fmt::format("an axis of more than {} elements", kLongest));
  const bool exclusive = TRY(integer_attribute(write.node(), "exclusive", 0)) != 0;
  const bool reverse = TRY(integer_attribute(write.node(), "reverse", 0)) != 0;
  write.add_axis("r", extent);
  std::vector<std::string> indices = write.axes();
  const std::string own = indices[*axis];
  indices[*axis] = "r";
  const std::string value =
      fmt::format("sum(select({}{}{},{},0))", reverse ? own : "r",
                  exclusive ? "<" : "<=", reverse ? "r" : own, write.read(0, indices));
  return write.finish_reduced(value);
}

// The rank of an element is how many go before it: greater ones (less ones), and equal ones of a
// lower index. The values in the order of their ranks, and where they were.
Result<NodeRegion> top_k(RegionWriter& write) {
  constexpr int64_t kLongest = 1024;
  const size_t rank = write.output_shape().size();
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", -1)), rank);
  if (!axis) return refuse("an axis beyond its rank");
  const bool largest = TRY(integer_attribute(write.node(), "largest", 1)) != 0;
  const int64_t extent = write.shape(0)[*axis];
  if (extent > kLongest) return refuse(fmt::format("an axis of more than {} elements", kLongest));
  write.add_axis("p", extent);
  write.add_axis("r", extent);
  std::vector<std::string> one = write.axes(), other = one;
  one[*axis] = "p";
  other[*axis] = "r";
  const std::string x = write.read(0, one), y = write.read(0, other), p = element_of("R", one);
  std::string text = fmt::format("{}=sum(select({}<{},1,select({}=={},select(r<p,1,0),0)))", p,
                                 largest ? x : y, largest ? y : x, x, y);
  const std::string here = fmt::format("{}=={}", p, RegionWriter::axis(*axis));
  const auto chosen = [&](const std::string& value, size_t output) {
    return ";" + write.reduced_statements(fmt::format("sum(select({},{},0))", here, value), output);
  };
  if (write.has_output(0)) text += chosen(x, 0);
  if (write.has_output(1)) text += chosen("p", 1);
  return write.finish(text);
}

}  // namespace dovetail::node_rules
