// SPDX-License-Identifier: Apache-2.0
//
// Conv and ConvTranspose as c1d, c2d, …, t2d, t3d.
#include <algorithm>

#include "core/base/fail.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

using Integers = std::vector<int64_t>;

// ONNX's attributes, one entry per spatial axis.
struct Window {
  Integers kernel, strides, dilations, pads, output_padding, output_shape;
  std::string auto_pad;
  int64_t groups = 1;
};

// Keeps the arithmetic on attributes and extents within 63 bits; canonical() has the finer checks.
Result<void> check_range(std::string_view what, const Integers& values) {
  for (const int64_t value : values)
    if (value < 0 || value > kMaxSpecNumber)
      return fail("{} is [{}]; expected values from 0 to {}", what, fmt::join(values, ","),
                  kMaxSpecNumber);
  return {};
}

Result<Integers> per_axis(const GraphNode& node, const std::string& name, size_t count,
                          int64_t otherwise) {
  Integers values = TRY(integers_attribute(node, name, Integers(count, otherwise)));
  if (values.empty()) values.assign(count, otherwise);
  TRY(check_range("attribute " + name, values));
  if (values.size() == count) return values;
  return fail("attribute {} is [{}]; expected {} values", name, fmt::join(values, ","), count);
}

Result<Window> read_window(const GraphNode& node, const Integers& weight_shape) {
  const size_t rank = weight_shape.size() - 2;
  Window window;
  window.kernel = TRY(integers_attribute(node, "kernel_shape", {}));
  const Integers kernel(weight_shape.begin() + 2, weight_shape.end());
  if (window.kernel.empty()) window.kernel = kernel;
  if (window.kernel != kernel)
    return fail("attribute kernel_shape is [{}]; expected [{}] as the weights have",
                fmt::join(window.kernel, ","), fmt::join(kernel, ","));
  window.strides = TRY(per_axis(node, "strides", rank, 1));
  window.dilations = TRY(per_axis(node, "dilations", rank, 1));
  window.pads = TRY(per_axis(node, "pads", 2 * rank, 0));
  window.output_padding = TRY(per_axis(node, "output_padding", rank, 0));
  window.output_shape = TRY(integers_attribute(node, "output_shape", {}));
  window.auto_pad = TRY(text_attribute(node, "auto_pad", "NOTSET"));
  TRY(check_range("attribute output_shape", window.output_shape));
  window.groups = TRY(integer_attribute(node, "group", 1));
  for (const std::string known : {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"})
    if (window.auto_pad == known) return window;
  return fail("attribute auto_pad is \"{}\"; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER",
              window.auto_pad);
}

SpatialAxis axis_of(const Window& window, size_t i, int64_t extent) {
  const size_t rank = window.kernel.size();
  return {.name = "",
          .extent = extent,
          .kernel = window.kernel[i],
          .stride = window.strides[i],
          .pad_before = window.auto_pad == "NOTSET" ? window.pads[i] : 0,
          .pad_after = window.auto_pad == "NOTSET" ? window.pads[rank + i] : 0,
          .output_padding = window.output_padding[i],
          .dilation = window.dilations[i]};
}

// An odd element is padded at the end that auto_pad names.
void split_pads(const Window& window, int64_t total, SpatialAxis& axis) {
  axis.pad_before = window.auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
  axis.pad_after = total - axis.pad_before;
}

// Pads of auto_pad, so that there are ceil(extent / stride) outputs.
void pad_direct(const Window& window, SpatialAxis& axis) {
  if (!window.auto_pad.starts_with("SAME") || axis.stride < 1) return;
  const int64_t outputs = (axis.extent + axis.stride - 1) / axis.stride;
  const int64_t total =
      std::max<int64_t>(0, (outputs - 1) * axis.stride + window_extent(axis) - axis.extent);
  split_pads(window, total, axis);
}

// Pads that give the wanted number of outputs; missing outputs become output padding.
void pad_transposed(const Window& window, size_t i, SpatialAxis& axis) {
  const size_t rank = window.kernel.size();
  int64_t wanted = axis.extent * axis.stride;
  if (window.output_shape.size() >= rank)  // may start with batch and channels
    wanted = window.output_shape[window.output_shape.size() - rank + i];
  else if (!window.auto_pad.starts_with("SAME"))
    return;
  axis.pad_before = axis.pad_after = 0;
  const int64_t total = output_extent(axis, true) - wanted;
  if (total < 0) {
    axis.output_padding -= total;
    return;
  }
  split_pads(window, total, axis);
}

OperatorKind kind_of(size_t rank, bool transposed) {
  if (transposed) return rank == 3 ? OperatorKind::t3d : OperatorKind::t2d;
  return rank == 1 ? OperatorKind::c1d : rank == 2 ? OperatorKind::c2d : OperatorKind::c3d;
}

Result<Operator> build_operator(const GraphNode& node, const Integers& input,
                                const Integers& weight) {
  const bool transposed = node.type == "ConvTranspose";
  const Window window = TRY(read_window(node, weight));
  const size_t rank = input.size() - 2;
  TRY(check_range("the input's shape", input));
  TRY(check_range("the weights' shape", weight));
  Operator op;
  op.kind = kind_of(rank, transposed);
  op.batch = input[0];
  op.in_channels = input[1];
  op.groups = window.groups;
  const int64_t groups = std::max<int64_t>(1, op.groups);
  const bool fits = transposed ? weight[0] == input[1] : weight[1] == input[1] / groups;
  if (!fits || op.groups < 1 || input[1] % groups != 0)
    return fail("the input has {} channels in {} groups; expected what weights [{}] take", input[1],
                op.groups, fmt::join(weight, ","));
  op.out_channels = transposed ? weight[1] * groups : weight[0];
  for (size_t i = 0; i < rank; ++i) {
    SpatialAxis axis = axis_of(window, i, input[2 + i]);
    if (transposed)
      pad_transposed(window, i, axis);
    else
      pad_direct(window, axis);
    op.spatial.push_back(axis);
  }
  // There is no 1-D transposed kind: it is t2d over one row, element for element.
  if (transposed && rank == 1) op.spatial.insert(op.spatial.begin(), SpatialAxis{});
  constexpr std::string_view kNames[] = {"depth", "h", "w"};
  const size_t axes = op.spatial.size();
  for (size_t i = 0; i < axes; ++i) op.spatial[i].name = kNames[3 - axes + i];
  if (node.inputs.size() > 2 && node.inputs[2] != kNoTensor) op.epilogues = {{EpilogueKind::bias}};
  return canonical(std::move(op));
}

}  // namespace

Result<Lowering> lower_convolution(const Graph& graph, const GraphNode& node) {
  const GraphTensor& input = tensor_of(graph, node.inputs[0]);
  const GraphTensor& weight = tensor_of(graph, node.inputs[1]);
  if (input.shape->size() < 3 || input.shape->size() > 5)
    return Lowering{.reason = fmt::format("rank {}, expected 3 to 5", input.shape->size())};
  if (weight.shape->size() != input.shape->size())
    return fail("weights {} have rank {}; expected {}", weight.name, weight.shape->size(),
                input.shape->size());
  Operator op = TRY(build_operator(node, *input.shape, *weight.shape));
  op.dtype = data_type(input);
  std::vector<TensorId> inputs = node.inputs;
  inputs.resize(op.epilogues.empty() ? 2 : 3);
  return Lowering{.nodes = {with_spec(node, std::move(op), std::move(inputs))}};
}

}  // namespace dovetail
