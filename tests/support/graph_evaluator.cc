// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graph_evaluator.h"

#include <fmt/format.h>

#include <cmath>

namespace dovetail::testing {
namespace {

using Index = std::vector<int64_t>;

// Counts `index` up in row-major order; false after the last.
bool advance(Index& index, const Index& extents) {
  for (size_t axis = extents.size(); axis-- > 0;) {
    if (++index[axis] < extents[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

size_t offset_of(const Index& index, const Index& extents) {
  int64_t offset = 0;
  for (size_t axis = 0; axis < extents.size(); ++axis)
    offset = offset * extents[axis] + index[axis];
  return static_cast<size_t>(offset);
}

double apply(const Epilogue& epilogue, double value) {
  switch (epilogue.kind) {
    case EpilogueKind::relu: return std::max(0.0, value);
    case EpilogueKind::relu6: return std::min(6.0, std::max(0.0, value));
    case EpilogueKind::clip: return std::min(epilogue.hi, std::max(epilogue.lo, value));
    case EpilogueKind::gelu: return 0.5 * value * (1 + std::erf(value / std::sqrt(2.0)));
    case EpilogueKind::silu: return value / (1 + std::exp(-value));
    case EpilogueKind::sigmoid: return 1 / (1 + std::exp(-value));
    case EpilogueKind::tanh: return std::tanh(value);
    case EpilogueKind::bias:
    case EpilogueKind::add: break;
  }
  return value;
}

Floats finish(const Operator& op, const Operands& operands, const std::vector<double>& sums) {
  const Index shape = logical_shape(op, Operand::output);
  const size_t channel_axis = is_matrix_product(op.kind) ? 2 : 1;
  Floats output;
  Index index(shape.size(), 0);
  for (const double sum : sums) {
    double value = sum;
    for (const Epilogue& epilogue : op.epilogues) {
      if (epilogue.kind == EpilogueKind::bias)
        value += operands.at(Operand::bias)[static_cast<size_t>(index[channel_axis])];
      else if (epilogue.kind == EpilogueKind::add)
        value += operands.at(Operand::addend)[output.size()];
      else
        value = apply(epilogue, value);
    }
    output.push_back(static_cast<float>(value));
    advance(index, shape);
  }
  return output;
}

std::vector<double> product_sums(const Operator& op, const Floats& a, const Floats& b) {
  const Index a_shape = logical_shape(op, Operand::input);
  const Index b_shape = logical_shape(op, Operand::weight);
  std::vector<double> sums;
  for (int64_t batch = 0; batch < op.batch; ++batch)
    for (int64_t m = 0; m < op.m; ++m)
      for (int64_t n = 0; n < op.n; ++n) {
        double sum = 0;
        for (int64_t k = 0; k < op.k; ++k) {
          const Index at_a = op.transpose_a ? Index{batch, k, m} : Index{batch, m, k};
          const Index at_b = op.transpose_b ? Index{batch, n, k} : Index{batch, k, n};
          sum += static_cast<double>(a[offset_of(at_a, a_shape)]) * b[offset_of(at_b, b_shape)];
        }
        sums.push_back(sum);
      }
  return sums;
}

// Adds every tap of every weight. A direct convolution reads input i * s + r * d - p for output i;
// a transposed one writes output i * s + r * d - p from input i.
std::vector<double> convolution_sums(const Operator& op, const Floats& input,
                                     const Floats& weight) {
  const bool transposed = is_transposed(op.kind);
  const Index in_shape = logical_shape(op, Operand::input);
  const Index out_shape = logical_shape(op, Operand::output);
  const Index weight_shape = logical_shape(op, Operand::weight);
  const Index& reached = transposed ? out_shape : in_shape;
  Index walk = transposed ? in_shape : out_shape;  // n, one channel, spatial
  walk[1] = 1;
  std::vector<double> sums(static_cast<size_t>(num_elements(out_shape)), 0.0);
  Index w(weight_shape.size(), 0);
  Index from(walk.size(), 0);
  Index to(walk.size(), 0);
  do {
    const double tap = weight[offset_of(w, weight_shape)];
    const int64_t group = w[0] / (weight_shape[0] / op.groups);
    Index step(walk.size(), 0);
    do {
      from = step;
      to = step;
      bool inside = true;
      for (size_t i = 0; i < op.spatial.size(); ++i) {
        const SpatialAxis& axis = op.spatial[i];
        to[2 + i] = step[2 + i] * axis.stride + w[2 + i] * axis.dilation - axis.pad_before;
        inside = inside && to[2 + i] >= 0 && to[2 + i] < reached[2 + i];
      }
      if (!inside) continue;
      from[1] = w[0];
      to[1] = group * weight_shape[1] + w[1];
      if (transposed)
        sums[offset_of(to, out_shape)] += tap * input[offset_of(from, in_shape)];
      else
        sums[offset_of(from, out_shape)] += tap * input[offset_of(to, in_shape)];
    } while (advance(step, walk));
  } while (advance(w, weight_shape));
  return sums;
}

using Values = std::map<TensorId, Floats>;

// The element of `values` that broadcasts to `index` of `shape`.
float broadcast(const Floats& values, const Index& from, const Index& index) {
  Index at;
  const size_t skipped = index.size() - from.size();
  for (size_t axis = 0; axis < from.size(); ++axis)
    at.push_back(from[axis] == 1 ? 0 : index[skipped + axis]);
  return values[offset_of(at, from)];
}

double combine(const std::string& type, double a, double b) {
  if (type == "Add") return a + b;
  if (type == "Sub") return a - b;
  return type == "Mul" ? a * b : a / b;
}

Result<Floats> run_binary(const Graph& graph, const GraphNode& node, const Values& values) {
  const auto shape_of = [&](TensorId id) { return *graph.tensors[static_cast<size_t>(id)].shape; };
  const Index shape = shape_of(node.outputs[0]);
  Floats output;
  Index index(shape.size(), 0);
  for (int64_t i = num_elements(shape); i > 0; --i, advance(index, shape)) {
    const float a = broadcast(values.at(node.inputs[0]), shape_of(node.inputs[0]), index);
    const float b = broadcast(values.at(node.inputs[1]), shape_of(node.inputs[1]), index);
    output.push_back(static_cast<float>(combine(node.type, a, b)));
  }
  return output;
}

Result<Floats> run_elementwise(const GraphNode& node, Floats values) {
  const std::map<std::string, EpilogueKind> kKinds = {{"Relu", EpilogueKind::relu},
                                                      {"Sigmoid", EpilogueKind::sigmoid},
                                                      {"Tanh", EpilogueKind::tanh}};
  const bool reshapes = node.type == "Reshape" || node.type == "Flatten" ||
                        node.type == "Squeeze" || node.type == "Unsqueeze" ||
                        node.type == "Identity";
  if (reshapes) return values;
  const auto kind = kKinds.find(node.type);
  if (kind == kKinds.end() && node.type != "Neg")
    return fail(fmt::format("node {}: the evaluator does not know {}", node.name, node.type));
  for (float& value : values)
    value = kind == kKinds.end() ? -value : static_cast<float>(apply({kind->second}, value));
  return values;
}

Result<Floats> run_node(const Graph& graph, const GraphNode& node, const Values& values,
                        const OperatorRunner& runner) {
  if (node.op) {
    Operands operands;
    const std::vector<Operand> order = input_operands(*node.op);
    for (size_t i = 0; i < order.size(); ++i) operands[order[i]] = values.at(node.inputs[i]);
    return runner(*node.op, operands);
  }
  const bool binary =
      node.type == "Add" || node.type == "Sub" || node.type == "Mul" || node.type == "Div";
  return binary ? run_binary(graph, node, values)
                : run_elementwise(node, values.at(node.inputs[0]));
}

}  // namespace

Result<Floats> run_directly(const Operator& op, const Operands& operands) {
  const Floats& input = operands.at(Operand::input);
  const Floats& weight = operands.at(Operand::weight);
  return finish(op, operands,
                is_matrix_product(op.kind) ? product_sums(op, input, weight)
                                           : convolution_sums(op, input, weight));
}

Result<std::vector<Floats>> evaluate(const Graph& graph, const std::vector<Floats>& inputs,
                                     const OperatorRunner& runner) {
  Values values;
  for (size_t i = 0; i < graph.inputs.size(); ++i) values[graph.inputs[i]] = inputs.at(i);
  for (size_t id = 0; id < graph.tensors.size(); ++id)
    if (graph.tensors[id].constant && graph.tensors[id].data)
      values[static_cast<TensorId>(id)] = floats_of(*graph.tensors[id].data);
  for (const GraphNode& node : graph.nodes)
    values[node.outputs[0]] = TRY(run_node(graph, node, values, runner));
  std::vector<Floats> outputs;
  for (const TensorId id : graph.outputs) outputs.push_back(values.at(id));
  return outputs;
}

}  // namespace dovetail::testing
