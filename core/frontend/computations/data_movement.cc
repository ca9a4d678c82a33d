// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {

Result<NodeRegion> transpose(RegionWriter& write) {
  const size_t rank = write.output_shape().size();
  std::vector<int64_t> reversed;
  for (size_t i = rank; i-- > 0;) reversed.push_back(static_cast<int64_t>(i));
  const std::vector<int64_t> order = TRY(integers_attribute(write.node(), "perm", reversed));
  if (write.shape(0).size() != rank || order.size() != rank)
    return refuse("an order of other axes than its input's");
  std::vector<std::string> indices(rank);
  for (size_t i = 0; i < rank; ++i)
    if (const auto axis = axis_of(order[i], rank)) indices[*axis] = RegionWriter::axis(i);
  if (std::ranges::find(indices, "") != indices.end())
    return refuse("an order that leaves an axis out");
  return write.finish_one(write.read(0, indices));
}

Result<NodeRegion> concat(RegionWriter& write) {
  const auto found =
      axis_of(TRY(integer_attribute(write.node(), "axis", 0)), write.output_shape().size());
  if (!found) return refuse("an axis beyond its rank");
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
  return write.finish_one(value);
}

// The sizes are taken from the outputs' shapes.
Result<NodeRegion> split(RegionWriter& write) {
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", 0)), write.shape(0).size());
  if (!axis) return refuse("an axis beyond its rank");
  std::string text;
  int64_t begin = 0;
  for (size_t i = 0; i < write.num_outputs(); ++i) {
    if (!write.has_output(i)) return refuse("an output that is left out");
    std::vector<std::string> made = write.axes();
    const int64_t extent = write.output_shape(i)[*axis];
    if (extent != write.output_shape()[*axis])
      write.add_axis(made[*axis] = fmt::format("s{}", i), extent);
    std::vector<std::string> read = made;
    if (begin > 0) read[*axis] += fmt::format("+{}", begin);
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : ";", write.output(i, made), write.read(0, read));
    begin += extent;
  }
  return write.finish(text);
}

// The repeats of each axis follow from its extents.
Result<NodeRegion> tile(RegionWriter& write) {
  std::vector<std::string> indices = write.axes();
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t extent = write.shape(0)[i];
    if (write.output_shape()[i] % extent != 0) return refuse("a part of its input");
    if (extent == 1)
      indices[i] = "0";
    else if (extent != write.output_shape()[i])
      indices[i] += fmt::format("%{}", extent);
  }
  return write.finish_one(write.read(0, indices));
}

// The diagonal is a constant or an input read at run time.
Result<NodeRegion> trilu(RegionWriter& write) {
  const size_t rank = write.output_shape().size();
  if (rank < 2) return refuse("of a vector");
  std::string diagonal = "0";
  if (write.has_input(1)) {
    const auto known = TRY(numbers_of(write.node(), "k", &write.input(1)));
    if (num_elements(write.shape(1)) != 1) return refuse("a diagonal that is not one number");
    diagonal = known ? number_text(static_cast<double>(known->front()))
                     : write.read(1, std::vector<std::string>(write.shape(1).size(), "0"));
  }
  const bool upper = TRY(integer_attribute(write.node(), "upper", 1)) != 0;
  const std::string limit = fmt::format("{}+{}", RegionWriter::axis(rank - 2), diagonal);
  const std::string column = RegionWriter::axis(rank - 1);
  const std::string zero = converted("0", ComputedType::real, write.made());
  return write.finish_one(fmt::format("select({}<={},{},{})", upper ? limit : column,
                                      upper ? column : limit, write.read(0), zero));
}

Result<NodeRegion> eye(RegionWriter& write) {
  if (write.output_shape().size() != 2) return refuse("no matrix");
  const int64_t diagonal = TRY(integer_attribute(write.node(), "k", 0));
  const std::string one =
      fmt::format("select({}-{}=={},1,0)", RegionWriter::axis(1), RegionWriter::axis(0), diagonal);
  return write.finish_one(converted(one, ComputedType::real, write.made()));
}

Result<NodeRegion> range(RegionWriter& write) {
  return write.finish_one(
      fmt::format("{}+{}*{}", write.read(0, {}), RegionWriter::axis(0), write.read(2, {})));
}

// At inference all elements are kept.
Result<NodeRegion> dropout(RegionWriter& write) {
  std::string text = write.output() + "=" + write.read(0);
  if (write.has_output(1)) text += fmt::format(";{}=boolean(1)", write.output(1, write.axes()));
  return write.finish(text);
}

}  // namespace dovetail::node_rules
