// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/frontend/computations/region_writer.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_regions {
namespace {

// x is the operand; α and β are the node's attributes alpha and beta.
struct Formula {
  std::string_view type, text;
  double alpha = 0, beta = 0;  // where the node does not say them
};
constexpr Formula kUnary[] = {
    {"Abs", "abs(x)"},
    {"Elu", "select(x<0,α*(exp(x)-1),x)", 1},
    {"Erf", "erf(x)"},
    {"Exp", "exp(x)"},
    {"Floor", "floor(x)"},
    {"Gelu", "gelu(x)"},
    {"HardSigmoid", "clip(α*x+β,0,1)", 0.2, 0.5},
    {"HardSwish", "x*clip(x/6+0.5,0,1)"},
    {"LeakyRelu", "select(x<0,α*x,x)", 0.01},
    {"Log", "log(x)"},
    {"Neg", "0-x"},
    {"Reciprocal", "1/x"},
    {"Relu", "relu(x)"},
    {"Sigmoid", "sigmoid(x)"},
    {"Softplus", "max(x,0)+log(1+exp(0-abs(x)))"},
    {"Softsign", "x/(1+abs(x))"},
    {"Sqrt", "sqrt(x)"},
    {"Tanh", "tanh(x)"},
    {"ThresholdedRelu", "select(α<x,x,0)", 1},
};
// a and b are the operands; more than two are taken from the left.
constexpr Formula kBinary[] = {
    {"Add", "a+b"},      {"Div", "a/b"}, {"Max", "max(a,b)"},
    {"Min", "min(a,b)"}, {"Mul", "a*b"}, {"PRelu", "select(a<0,a*b,a)"},
    {"Pow", "pow(a,b)"}, {"Sub", "a-b"}, {"Sum", "a+b"},
};

// The formula with each of its letters replaced; letters of words stay.
std::string filled(std::string_view formula,
                   const std::vector<std::pair<std::string_view, std::string>>& letters) {
  std::string text;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  for (size_t i = 0; i < formula.size();) {
    size_t end = i + 1;
    if (is_letter(formula[i]))
      while (end < formula.size() && is_letter(formula[end])) ++end;
    else if (static_cast<unsigned char>(formula[i]) >= 0x80)
      end = i + 2;
    const std::string_view word = formula.substr(i, end - i);
    const auto found =
        std::ranges::find(letters, word, &std::pair<std::string_view, std::string>::first);
    text += found == letters.end() ? std::string(word) : found->second;
    i = end;
  }
  return text;
}

}  // namespace

MaybeRegion unary(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node);
  const auto* const row = std::ranges::find(kUnary, node.type, &Formula::type);
  const bool is_exact = TRY(text_attribute(node, "approximate", "none")) == "none";
  if (row == std::end(kUnary) || !is_exact || !write.has_shapes() || !write.broadcasts() ||
      !write.is_real() || write.num_inputs() != 1)
    return std::optional<NodeRegion>();
  const double alpha = TRY(number_attribute(node, "alpha", row->alpha));
  const double beta = TRY(number_attribute(node, "beta", row->beta));
  const std::string value = filled(
      row->text, {{"x", write.read(0)}, {"α", number_text(alpha)}, {"β", number_text(beta)}});
  return std::optional(write.finish(write.output() + "=" + value));
}

// Bounds are attributes (before operator set 11) or constants; either may be left out.
MaybeRegion clip(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node, 1);
  if (!write.has_shapes() || !write.is_real()) return std::optional<NodeRegion>();
  std::string value = write.read(0);
  for (const auto& [name, position] : {std::pair("min", size_t{1}), std::pair("max", size_t{2})}) {
    const TensorId id = input_at(node, position);
    std::optional<double> bound;
    if (node.attributes.contains(name)) {
      bound = TRY(number_attribute(node, name, 0));
    } else if (id != kNoTensor) {
      bound = single_number(graph, id);
      if (!bound) return std::optional<NodeRegion>();
    }
    // ONNX's min is the least value that comes out.
    if (bound)
      value = fmt::format("{}({},{})", position == 1 ? "max" : "min", value, number_text(*bound));
  }
  return std::optional(write.finish(write.output() + "=" + value));
}

// With the mean and the variance that were learnt, all of them one value a channel.
MaybeRegion batch_normalization(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.is_real() || write.num_inputs() != 5 ||
      write.shape(0).size() < 2 || TRY(integer_attribute(node, "training_mode", 0)) != 0)
    return std::optional<NodeRegion>();
  std::vector<std::string> of_channel;
  for (size_t i = 1; i < 5; ++i) of_channel.push_back(write.read(i, {RegionWriter::axis(1)}));
  const double epsilon = TRY(number_attribute(node, "epsilon", 1e-5));
  return std::optional(write.finish(
      fmt::format("{}=({}-{})*rsqrt({}+{})*{}+{}", write.output(), write.read(0), of_channel[2],
                  of_channel[3], number_text(epsilon), of_channel[0], of_channel[1])));
}

// The shape is the output's, which the graph knows.
MaybeRegion expand(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node, 1);
  if (!write.has_shapes() || !write.broadcasts() || !write.is_real())
    return std::optional<NodeRegion>();
  return std::optional(write.finish(write.output() + "=" + write.read(0)));
}

MaybeRegion binary(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node);
  const auto* const row = std::ranges::find(kBinary, node.type, &Formula::type);
  if (row == std::end(kBinary) || !write.has_shapes() || !write.broadcasts() || !write.is_real() ||
      write.num_inputs() == 0)
    return std::optional<NodeRegion>();
  std::string value = write.read(0);
  for (size_t i = 1; i < write.num_inputs(); ++i)
    value = filled(row->text, {{"a", i == 1 ? value : "(" + value + ")"}, {"b", write.read(i)}});
  return std::optional(write.finish(write.output() + "=" + value));
}

// Numbers become real; the other way they would have to be rounded.
MaybeRegion cast(const Graph& graph, const GraphNode& node) {
  const RegionWriter write(graph, node);
  if (!write.has_shapes() || !write.broadcasts() || !write.has_real_output())
    return std::optional<NodeRegion>();
  const ElementType from = write.input(0).type;
  const bool whole = from == ElementType::i64 || from == ElementType::i32;
  if (!whole && from != ElementType::f32 && from != ElementType::boolean)
    return std::optional<NodeRegion>();
  const std::string read = write.read(0);
  return std::optional(write.finish(write.output() + "=" +
                                    (from == ElementType::f32 ? read : "real(" + read + ")")));
}

}  // namespace dovetail::node_regions
