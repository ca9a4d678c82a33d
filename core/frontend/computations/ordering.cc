// SPDX-License-Identifier: Apache-2.0
// Positions of extreme elements, prefix sums, and sorting.
#include <fmt/format.h>

#include "core/base/fail.h"
#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {

// The first or the last position of the greatest (least) element.
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

namespace {

constexpr int64_t kLongestSum = 4096;  // regions have no scans, so each element sums from the start

// The prefix sum along an axis; `name`: the axis of the summation.
Result<std::string> sum_along(RegionWriter& write, size_t axis, const std::string& name) {
  const bool exclusive = TRY(integer_attribute(write.node(), "exclusive", 0)) != 0;
  const bool reverse = TRY(integer_attribute(write.node(), "reverse", 0)) != 0;
  if (write.output_shape()[axis] > kLongestSum)
    return fail("node {} (CumSum) has an axis of {}; expected at most {}", write.node().name,
                write.output_shape()[axis], kLongestSum);
  write.add_axis(name, write.output_shape()[axis]);
  std::vector<std::string> indices = write.axes();
  const std::string own = std::exchange(indices[axis], name);
  return fmt::format("sum(select({}{}{},{},0))", reverse ? own : name,
                     exclusive ? "<" : "<=", reverse ? name : own, write.read(0, indices));
}

// Computes the sums along every axis, and selects those of the axis that is known at run time.
Result<NodeRegion> sum_along_given(RegionWriter& write) {
  if (write.made() != ComputedType::real || !write.has_input(1))
    return refuse("an axis that is only known at run time");
  const size_t rank = write.output_shape().size();
  const std::string number = write.read(1, std::vector<std::string>(write.shape(1).size(), "0"));
  std::string text, value;
  for (size_t axis = 0; axis < rank; ++axis) {
    const std::string sums = element_of(fmt::format("T{}", axis), write.axes());
    text += fmt::format("{}={};", sums, TRY(sum_along(write, axis, fmt::format("r{}", axis))));
    value = value.empty() ? sums
                          : fmt::format("select(select({0}<0,{0}+{1},{0})=={2},{3},{4})", number,
                                        rank, axis, sums, value);
  }
  return write.finish(text + write.output() + "=" + value);
}

}  // namespace

Result<NodeRegion> cumulative_sum(RegionWriter& write) {
  const size_t rank = write.output_shape().size();
  auto known =
      TRY(numbers_of(write.node(), "axis", write.has_input(1) ? &write.input(1) : nullptr));
  if (!known && rank == 1) known = {0};
  if (!known) return sum_along_given(write);
  const auto axis = known->size() == 1 ? axis_of(known->front(), rank) : std::nullopt;
  if (!axis) return refuse("an axis beyond its rank");
  return write.finish_reduced(TRY(sum_along(write, *axis, "r")));
}

// The rank of an element is the number of elements before it: greater ones (less ones), and equal
// ones of a lower index. The outputs are the values in the order of their ranks, and their indices.
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
