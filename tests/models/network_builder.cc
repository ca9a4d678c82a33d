// SPDX-License-Identifier: Apache-2.0
#include "tests/models/network_builder.h"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

using Shape = NetworkBuilder::Shape;

Shape twice(const Shape& pads) {
  Shape both = pads;
  both.insert(both.end(), pads.begin(), pads.end());
  return both;
}

Shape windows(const Shape& in, const ConvolutionLayer& layer) {
  Shape out = {in[0], layer.channels};
  for (size_t i = 0; i < layer.kernel.size(); ++i)
    out.push_back((in[i + 2] + 2 * layer.pads[i] - layer.kernel[i]) / layer.stride[i] + 1);
  return out;
}

// ONNX's number of a type.
int64_t onnx_number(ElementType real) {
  return real == ElementType::f16 ? 10 : real == ElementType::bf16 ? 16 : 1;
}

float lowest_of(ElementType real) {
  return real == ElementType::f16    ? -65504.0F
         : real == ElementType::bf16 ? -0x1.FEp127F
                                     : std::numeric_limits<float>::lowest();
}

// The least one that f16 has, where 1e-12 would be none.
float epsilon_of(ElementType real) { return real == ElementType::f16 ? 0x1p-24F : 1e-12F; }

// Elements of a graph's constants are floats, of narrow types those that the type has.
NDArray stored_as(ElementType real, std::vector<float> elements) {
  if (real == ElementType::f32) return elements;
  return converted(converted(NDArray(std::move(elements)), real), ElementType::f32);
}

std::map<std::string, Attribute> window(const ConvolutionLayer& layer) {
  return {{"kernel_shape", layer.kernel}, {"pads", twice(layer.pads)}, {"strides", layer.stride}};
}

}  // namespace

TensorId NetworkBuilder::input(const std::string& name, Shape shape) {
  return graph_.inputs.emplace_back(add_tensor(graph_, name, real_, std::move(shape)));
}

TensorId NetworkBuilder::integer_input(const std::string& name, Shape shape) {
  return graph_.inputs.emplace_back(add_tensor(graph_, name, ElementType::i64, std::move(shape)));
}

Graph NetworkBuilder::finish(std::vector<TensorId> outputs) {
  graph_.outputs = std::move(outputs);
  return compact(graph_);
}

Shape NetworkBuilder::shape_of(TensorId id) const { return *tensor_of(graph_, id).shape; }

TensorId NetworkBuilder::convolution(const std::string& name, TensorId from,
                                     const ConvolutionLayer& layer) {
  const Shape in = shape_of(from);
  Shape weights = {layer.channels, in[1] / layer.groups};
  weights.insert(weights.end(), layer.kernel.begin(), layer.kernel.end());
  const int64_t fan_in =
      std::accumulate(weights.begin() + 1, weights.end(), int64_t{1}, std::multiplies<>());
  const TensorId weight = uniform(name + ".weight", weights, fan_in);
  const TensorId bias = uniform(name + ".bias", {layer.channels}, fan_in);
  Attributes attributes = window(layer);
  attributes["dilations"] = Shape(layer.kernel.size(), 1);
  attributes["group"] = layer.groups;
  return node(name, "Conv", {from, weight, bias}, windows(in, layer), std::move(attributes));
}

TensorId NetworkBuilder::max_pool(const std::string& name, TensorId from,
                                  const ConvolutionLayer& layer) {
  return node(name, "MaxPool", {from}, windows(shape_of(from), layer), window(layer));
}

TensorId NetworkBuilder::average_pool(const std::string& name, TensorId from) {
  Shape shape = shape_of(from);
  for (size_t i = 2; i < shape.size(); ++i) shape[i] = 1;
  return node(name, "GlobalAveragePool", {from}, shape);
}

TensorId NetworkBuilder::relu(const std::string& name, TensorId from) {
  return node(name, "Relu", {from}, shape_of(from));
}

TensorId NetworkBuilder::relu6(const std::string& name, TensorId from) {
  const TensorId low = constant(name + ".min", 0), high = constant(name + ".max", 6);
  return node(name, "Clip", {from, low, high}, shape_of(from));
}

TensorId NetworkBuilder::add(const std::string& name, TensorId a, TensorId b) {
  return node(name, "Add", {a, b}, shape_of(a));
}

TensorId NetworkBuilder::multiply(const std::string& name, TensorId a, TensorId b) {
  return joined(name, "Mul", a, b);
}

TensorId NetworkBuilder::hard_sigmoid(const std::string& name, TensorId from) {
  return node(name, "HardSigmoid", {from}, shape_of(from), {{"alpha", 1.0 / 6}, {"beta", 0.5}});
}

TensorId NetworkBuilder::hard_swish(const std::string& name, TensorId from) {
  const TensorId sum = joined(name + ".Add", "Add", from, constant(name + ".three", 3));
  const TensorId clipped = relu6(name + ".Clip", sum);
  const TensorId part = joined(name + ".Div", "Div", clipped, constant(name + ".six", 6));
  return joined(name + ".Mul", "Mul", from, part);
}

TensorId NetworkBuilder::flatten(const std::string& name, TensorId from) {
  const Shape in = shape_of(from);
  return node(name, "Flatten", {from}, {in[0], num_elements(in) / in[0]}, {{"axis", int64_t{1}}});
}

TensorId NetworkBuilder::linear(const std::string& name, TensorId from, int64_t features) {
  const Shape in = shape_of(from);
  const TensorId weight = uniform(name + ".weight", {features, in[1]}, in[1]);
  const TensorId bias = uniform(name + ".bias", {features}, in[1]);
  return node(name, "Gemm", {from, weight, bias}, {in[0], features}, {{"transB", int64_t{1}}});
}

TensorId NetworkBuilder::dense(const std::string& name, TensorId from, int64_t features) {
  Shape shape = shape_of(from);
  const int64_t fan_in = shape.back();
  const TensorId weight = uniform(name + ".weight", {fan_in, features}, fan_in);
  const TensorId bias = uniform(name + ".bias", {features}, fan_in);
  shape.back() = features;
  const TensorId product = node(name + ".MatMul", "MatMul", {from, weight}, shape);
  return node(name + ".Add", "Add", {bias, product}, shape);
}

TensorId NetworkBuilder::matmul(const std::string& name, TensorId a, TensorId b) {
  Shape shape = shape_of(a);
  shape.back() = shape_of(b).back();
  return node(name, "MatMul", {a, b}, shape);
}

TensorId NetworkBuilder::layer_norm(const std::string& name, TensorId from) {
  const Shape shape = shape_of(from);
  const Shape last = {shape.back()};
  const auto mean_of = [&](const std::string& what, TensorId id) {
    Shape ones = shape;
    ones.back() = 1;
    return node(name + "." + what, "ReduceMean", {id}, ones, {{"axes", Shape{-1}}});
  };
  const TensorId mean = mean_of("ReduceMean", from);
  const TensorId off = joined(name + ".Sub", "Sub", from, mean);
  const TensorId square = joined(name + ".Pow", "Pow", off, constant(name + ".two", 2));
  const TensorId variance = mean_of("ReduceMean_1", square);
  const TensorId sum =
      joined(name + ".Add", "Add", variance, constant(name + ".epsilon", epsilon_of(real_)));
  const TensorId deviation = node(name + ".Sqrt", "Sqrt", {sum}, shape_of(sum));
  const TensorId normal = joined(name + ".Div", "Div", off, deviation);
  const TensorId scaled = joined(name + ".Mul", "Mul", normal, uniform(name + ".weight", last, 1));
  return joined(name + ".Add_1", "Add", scaled, uniform(name + ".bias", last, 1));
}

TensorId NetworkBuilder::gelu(const std::string& name, TensorId from) {
  const auto number = [&](const std::string& what, float value) {
    return constant(name + "." + what, value);
  };
  const TensorId part =
      joined(name + ".Div", "Div", from, number("sqrt2", std::numbers::sqrt2_v<float>));
  const TensorId erf = node(name + ".Erf", "Erf", {part}, shape_of(from));
  const TensorId sum = joined(name + ".Add", "Add", erf, number("one", 1));
  const TensorId product = joined(name + ".Mul", "Mul", from, sum);
  return joined(name + ".Mul_1", "Mul", product, number("half", 0.5F));
}

TensorId NetworkBuilder::tanh(const std::string& name, TensorId from) {
  return node(name, "Tanh", {from}, shape_of(from));
}

TensorId NetworkBuilder::softmax(const std::string& name, TensorId from) {
  return node(name, "Softmax", {from}, shape_of(from), {{"axis", int64_t{-1}}});
}

TensorId NetworkBuilder::times(const std::string& name, TensorId from, float factor) {
  return joined(name, "Mul", from, constant(name + ".factor", factor));
}

TensorId NetworkBuilder::reshape(const std::string& name, TensorId from, Shape shape) {
  const TensorId to = integers(name + ".shape", {std::ssize(shape)}, shape);
  return node(name, "Reshape", {from, to}, std::move(shape));
}

TensorId NetworkBuilder::transpose(const std::string& name, TensorId from, const Shape& order) {
  const Shape in = shape_of(from);
  Shape shape;
  for (const int64_t axis : order) shape.push_back(in[static_cast<size_t>(axis)]);
  return node(name, "Transpose", {from}, shape, {{"perm", order}});
}

TensorId NetworkBuilder::embedding(const std::string& name, TensorId ids, Shape table) {
  Shape shape = shape_of(ids);
  shape.push_back(table[1]);
  return node(name, "Gather", {uniform(name + ".weight", table, 1), ids}, shape);
}

TensorId NetworkBuilder::select(const std::string& name, TensorId from, int64_t axis,
                                int64_t place) {
  Shape shape = shape_of(from);
  shape.erase(shape.begin() + axis);
  return node(name, "Gather", {from, integers(name + ".place", {}, {place})}, shape,
              {{"axis", axis}});
}

TensorId NetworkBuilder::integers(const std::string& name, Shape shape,
                                  std::vector<int64_t> values) {
  return add_constant(graph_, name, ElementType::i64, std::move(shape), std::move(values));
}

TensorId NetworkBuilder::masked_scores(const std::string& name, TensorId mask) {
  const Shape in = shape_of(mask);
  const Shape shape = {in[0], 1, 1, in[1]};
  const TensorId raised = typed_node(ElementType::i64, name + ".Unsqueeze", "Unsqueeze",
                                     {mask, integers(name + ".axes", {2}, {1, 2})}, shape);
  const TensorId real = node(name + ".Cast", "Cast", {raised}, shape, {{"to", onnx_number(real_)}});
  const TensorId gone = joined(name + ".Sub", "Sub", constant(name + ".one", 1), real);
  return node(name + ".Mul", "Mul", {gone, constant(name + ".least", lowest_of(real_))}, shape);
}

// Even over ±sqrt(6 / fan_in) / 2: half of He's bound, so that residual sums stay of size one.
TensorId NetworkBuilder::uniform(const std::string& name, const Shape& shape, int64_t fan_in) {
  const double bound = std::sqrt(6.0 / static_cast<double>(fan_in)) / 2;
  std::vector<float> elements(static_cast<size_t>(num_elements(shape)));
  // Not std::uniform_real_distribution: its numbers differ between standard libraries.
  for (float& element : elements)
    element = static_cast<float>((static_cast<double>(random_() >> 11) * 0x1p-52 - 1) * bound);
  return add_constant(graph_, name, real_, shape, stored_as(real_, std::move(elements)));
}

TensorId NetworkBuilder::constant(const std::string& name, float value) {
  return add_constant(graph_, name, real_, {}, stored_as(real_, {value}));
}

TensorId NetworkBuilder::node(const std::string& name, const std::string& type,
                              std::vector<TensorId> inputs, Shape shape, Attributes attributes) {
  return typed_node(real_, name, type, std::move(inputs), std::move(shape), std::move(attributes));
}

TensorId NetworkBuilder::typed_node(ElementType made, const std::string& name,
                                    const std::string& type, std::vector<TensorId> inputs,
                                    Shape shape, Attributes attributes) {
  const TensorId output = add_tensor(graph_, name + ".output", made, std::move(shape));
  graph_.nodes.push_back({.name = name,
                          .operator_class = classify_onnx(type),
                          .type = type,
                          .op = {},
                          .attributes = std::move(attributes),
                          .inputs = std::move(inputs),
                          .outputs = {output}});
  return output;
}

// Its shape is that of the input with more axes, of `from` where both have as many.
TensorId NetworkBuilder::joined(const std::string& name, const std::string& type, TensorId from,
                                TensorId other) {
  const Shape a = shape_of(from), b = shape_of(other);
  return node(name, type, {from, other}, a.size() >= b.size() ? a : b);
}

}  // namespace dovetail
