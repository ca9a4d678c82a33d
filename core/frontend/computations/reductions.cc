// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using Axes = std::vector<int64_t>;

// {x} is the operand, {n} the number of reduced elements. Integers are exact to 2^24.
struct Reduction {
  std::string_view type, text;
  bool of_integers = false;
};
constexpr Reduction kReductions[] = {
    {"GlobalAveragePool", "sum({x})/{n}"}, {"GlobalMaxPool", "max({x})"},
    {"ReduceL1", "sum(abs({x}))", true},   {"ReduceL2", "sqrt(sum({x}*{x}))"},
    {"ReduceLogSum", "log(sum({x}))"},     {"ReduceLogSumExp", "log(sum(exp({x})))"},
    {"ReduceMax", "max({x})", true},       {"ReduceMean", "sum({x})/{n}"},
    {"ReduceMin", "min({x})", true},       {"ReduceProd", "prod({x})", true},
    {"ReduceSum", "sum({x})", true},       {"ReduceSumSquare", "sum({x}*{x})", true},
};

// Axes that are known only at run time, deduced from the shapes: those with extent 1 in the output
// only. nullopt if the shapes do not determine them.
std::optional<Axes> axes_between(const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  Axes axes;
  if (from.size() != to.size()) return to.empty() ? std::optional(axes) : std::nullopt;
  for (size_t i = 0; i < from.size(); ++i)
    if (to[i] == 1 && from[i] != 1) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

// The axes that a node reduces; nullopt if they are unknown.
Result<std::optional<Axes>> reduced_axes(const RegionWriter& write) {
  using Found = std::optional<Axes>;
  const GraphNode& node = write.node();
  const std::vector<int64_t>& shape = write.shape(0);
  Axes all(shape.size());
  std::iota(all.begin(), all.end(), int64_t{0});
  if (node.type.starts_with("Global")) return Found(Axes(all.begin() + 2, all.end()));
  const TensorId id = input_at(node, 1);
  const GraphTensor* given = id == kNoTensor ? nullptr : &tensor_of(write.graph(), id);
  const bool none_means_none = TRY(integer_attribute(node, "noop_with_empty_axes", 0)) != 0;
  if (given == nullptr && !node.attributes.contains("axes"))
    return Found(none_means_none ? Axes() : all);
  if (given != nullptr && !given->constant && !node.attributes.contains("axes")) {
    const bool empty = given->shape && num_elements(*given->shape) == 0;
    if (empty) return Found(none_means_none ? Axes() : all);
    return write.output_shape().empty() ? Found(all) : axes_between(shape, write.output_shape());
  }
  Found axes = TRY(numbers_of(node, "axes", given));
  const bool is_empty_input = axes && axes->empty() && given != nullptr;
  return is_empty_input && !none_means_none ? Found(all) : axes;
}

}  // namespace

Result<NodeRegion> reduce(RegionWriter& write) {
  const GraphNode& node = write.node();
  const auto* const row = std::ranges::find(kReductions, node.type, &Reduction::type);
  const bool whole = write.made() == ComputedType::integer;
  if (whole && !row->of_integers) return refuse("of integers");
  const std::vector<int64_t>& shape = write.shape(0);
  if (node.type.starts_with("Global") && shape.size() < 3) return refuse("of a rank below 3");
  const auto axes = TRY(reduced_axes(write));
  if (!axes) return refuse("axes that are only known at run time");
  std::vector<bool> gone(shape.size(), false);
  for (const int64_t number : *axes) {
    const auto axis = axis_of(number, shape.size());
    if (!axis) return refuse("an axis beyond its rank");
    gone[*axis] = true;
  }
  if (axes->empty()) return write.finish_one(write.read(0, write.axes()));
  const bool keeps = node.type.starts_with("Global") || TRY(integer_attribute(node, "keepdims", 1));
  std::vector<std::string> indices;
  size_t next = 0;
  int64_t count = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (gone[i]) {
      indices.push_back(fmt::format("r{}", i));
      write.add_axis(indices.back(), shape[i]);
      count *= shape[i];
      next += keeps ? 1 : 0;
    } else {
      indices.push_back(RegionWriter::axis(next++));
    }
  }
  const std::string value = fmt::format(
      fmt::runtime(row->text), fmt::arg("x", write.read(0, indices)), fmt::arg("n", count));
  return write.finish_reduced(value);
}

}  // namespace dovetail::node_rules
