// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/frontend/computations/region_writer.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_regions {
namespace {

using Axes = std::vector<int64_t>;

// In a text {x} and {n} are the operand and how many of it are reduced.
struct Reduction {
  std::string_view type, text;
};
constexpr Reduction kReductions[] = {
    {"GlobalAveragePool", "sum({x})/{n}"},
    {"GlobalMaxPool", "max({x})"},
    {"ReduceL1", "sum(abs({x}))"},
    {"ReduceL2", "sqrt(sum({x}*{x}))"},
    {"ReduceLogSum", "log(sum({x}))"},
    {"ReduceLogSumExp", "log(sum(exp({x})))"},
    {"ReduceMax", "max({x})"},
    {"ReduceMean", "sum({x})/{n}"},
    {"ReduceMin", "min({x})"},
    {"ReduceProd", "prod({x})"},
    {"ReduceSum", "sum({x})"},
    {"ReduceSumSquare", "sum({x}*{x})"},
};

// Which axes a node reduces; none where they are computed when the network runs.
Result<std::optional<Axes>> reduced_axes(const Graph& graph, const GraphNode& node, size_t rank) {
  using Found = std::optional<Axes>;
  Axes all(rank);
  std::iota(all.begin(), all.end(), int64_t{0});
  if (node.type.starts_with("Global")) return Found(Axes(all.begin() + 2, all.end()));
  const TensorId id = input_at(node, 1);
  const bool is_said = id != kNoTensor || node.attributes.contains("axes");
  if (!is_said) {
    const bool nothing = TRY(integer_attribute(node, "noop_with_empty_axes", 0)) != 0;
    return nothing ? Found() : Found(all);
  }
  Found axes = TRY(numbers_of(node, "axes", id == kNoTensor ? nullptr : &tensor_of(graph, id)));
  const bool is_empty_input = axes && axes->empty() && !node.attributes.contains("axes");
  return is_empty_input ? Found(all) : axes;
}

}  // namespace

MaybeRegion reduce(const Graph& graph, const GraphNode& node) {
  RegionWriter write(graph, node, 1);  // axes that are an input are constants of the text
  const auto* const row = std::ranges::find(kReductions, node.type, &Reduction::type);
  if (row == std::end(kReductions) || !write.has_shapes() || !write.is_real())
    return std::optional<NodeRegion>();
  const std::vector<int64_t>& shape = write.shape(0);
  if (node.type.starts_with("Global") && shape.size() < 3) return std::optional<NodeRegion>();
  const auto axes = TRY(reduced_axes(graph, node, shape.size()));
  if (!axes) return std::optional<NodeRegion>();
  std::vector<bool> gone(shape.size(), false);
  for (const int64_t number : *axes) {
    const auto axis = axis_of(number, shape.size());
    if (!axis) return std::optional<NodeRegion>();
    gone[*axis] = true;
  }
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
  if (axes->empty()) return std::optional<NodeRegion>();
  const std::string value = fmt::format(
      fmt::runtime(row->text), fmt::arg("x", write.read(0, indices)), fmt::arg("n", count));
  return std::optional(write.finish(write.output() + "=" + value));
}

// Axes from the node's on where the operator set is older than 13 (`flattened`), else that axis.
MaybeRegion softmax(const Graph& graph, const GraphNode& node) {
  RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.is_real() || write.shape(0).empty())
    return std::optional<NodeRegion>();
  const size_t rank = write.shape(0).size();
  const auto axis = axis_of(TRY(integer_attribute(node, "axis", -1)), rank);
  if (!axis) return std::optional<NodeRegion>();
  const bool flattened = TRY(integer_attribute(node, "flattened", 0)) != 0;
  const std::vector<std::string> all = write.axes();
  std::vector<std::string> kept = all;
  for (size_t i = *axis; i < (flattened ? rank : *axis + 1); ++i) kept[i] = "z";
  // The kept axes of what is reduced: one z stands for all that are not.
  std::vector<std::string> made = kept;
  made.erase(std::unique(made.begin(), made.end()), made.end());
  write.add_axis("z", 1);
  std::vector<std::string> read = made;
  std::ranges::replace(read, "z", "0");
  const std::string m = element_of("M", made), d = element_of("D", made);
  const std::string m_read = element_of("M", read), d_read = element_of("D", read);
  const std::string x = write.read(0, all);
  const bool logarithm = node.type == "LogSoftmax";
  const std::string last =
      logarithm ? fmt::format("{}={}-{}-log({})", write.output(), x, m_read, d_read)
                : fmt::format("{}={}/{}", write.output(), element_of("E", all), d_read);
  return std::optional(
      write.finish(fmt::format("{}max={};{}=exp({}-{});{}+={};{}", m, x, element_of("E", all), x,
                               m_read, d, element_of("E", all), last)));
}

MaybeRegion layer_normalization(const Graph& graph, const GraphNode& node) {
  RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.is_real()) return std::optional<NodeRegion>();
  const std::vector<int64_t>& shape = write.shape(0);
  const auto axis = axis_of(TRY(integer_attribute(node, "axis", -1)), shape.size());
  const double epsilon = TRY(number_attribute(node, "epsilon", 1e-5));
  if (!axis || !write.broadcasts()) return std::optional<NodeRegion>();
  std::vector<std::string> outer = write.axes();
  outer.resize(*axis);
  std::vector<std::string> read = outer;
  outer.emplace_back("z");
  read.emplace_back("0");
  write.add_axis("z", 1);
  const int64_t count = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(*axis),
                                        shape.end(), int64_t{1}, std::multiplies<>());
  const std::string x = write.read(0), m = element_of("M", read), v = element_of("V", read);
  std::string text =
      fmt::format("{}=sum({})/{};{}=sum(({}-{})*({}-{}))/{};", element_of("M", outer), x, count,
                  element_of("V", outer), x, m, x, m, count);
  text += fmt::format("{}=({}-{})*rsqrt({}+{})", write.output(), x, m, v, number_text(epsilon));
  if (write.num_inputs() > 1) text += "*" + write.read(1);
  if (write.num_inputs() > 2) text += "+" + write.read(2);
  return std::optional(write.finish(text));
}

// Windows of MaxPool and AveragePool, as many axes as there are behind n and c.
MaybeRegion pool(const Graph& graph, const GraphNode& node) {
  RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.is_real()) return std::optional<NodeRegion>();
  const std::vector<int64_t>& shape = write.shape(0);
  if (shape.size() < 3) return std::optional<NodeRegion>();
  const size_t axes = shape.size() - 2;
  const Axes kernel = TRY(integers_attribute(node, "kernel_shape", {}));
  const Axes strides = TRY(integers_attribute(node, "strides", Axes(axes, 1)));
  const Axes dilations = TRY(integers_attribute(node, "dilations", Axes(axes, 1)));
  const Axes pads = TRY(integers_attribute(node, "pads", Axes(2 * axes, 0)));
  const std::string automatic = TRY(text_attribute(node, "auto_pad", "NOTSET"));
  const bool average = node.type == "AveragePool";
  const bool fits = kernel.size() == axes && strides.size() == axes && dilations.size() == axes &&
                    pads.size() == 2 * axes && (automatic == "NOTSET" || automatic == "VALID");
  const bool is_padded = std::ranges::any_of(pads, [](int64_t pad) { return pad != 0; });
  const bool with_padding = TRY(integer_attribute(node, "count_include_pad", 0)) != 0;
  const bool ceil = TRY(integer_attribute(node, "ceil_mode", 0)) != 0;
  if (!fits || (average && ((is_padded && !with_padding) || ceil)))
    return std::optional<NodeRegion>();
  std::vector<std::string> indices = {RegionWriter::axis(0), RegionWriter::axis(1)};
  int64_t count = 1;
  for (size_t i = 0; i < axes; ++i) {
    const std::string tap = fmt::format("r{}", i);
    write.add_axis(tap, kernel[i]);
    indices.push_back(fmt::format("{}*{}+{}*{}-{}", strides[i], RegionWriter::axis(i + 2),
                                  dilations[i], tap, pads[i]));
    count *= kernel[i];
  }
  const std::string x = write.read(0, indices);
  return std::optional(write.finish(average ? fmt::format("{}=sum({})/{}", write.output(), x, count)
                                            : fmt::format("{}max={}", write.output(), x)));
}

}  // namespace dovetail::node_regions
