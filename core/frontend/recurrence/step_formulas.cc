// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/recurrence/step_formulas.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/frontend/computations/formula.h"
#include "core/frontend/computations/region_writer.h"
#include "core/frontend/graph_edit.h"

namespace dovetail {
namespace {

// ONNX's activations of recurrences, with the defaults of α and β.
struct Activation {
  std::string_view name, text;
  bool has_alpha = false, has_beta = false;
  double alpha = 0, beta = 0;
};
constexpr Activation kActivations[] = {
    {"affine", "α*x+β", true, true, 1, 0},
    {"elu", "select(x<0,α*(exp(x)-1),x)", true, false, 1},
    {"hardsigmoid", "clip(α*x+β,0,1)", true, true, 0.2, 0.5},
    {"leakyrelu", "select(x<0,α*x,x)", true, false, 0.01},
    {"relu", "relu(x)"},
    {"scaledtanh", "α*tanh(β*x)", true, true, 1, 1},
    {"sigmoid", "sigmoid(x)"},
    {"softplus", "max(x,0)+log(1+exp(0-abs(x)))"},
    {"softsign", "x/(1+abs(x))"},
    {"tanh", "tanh(x)"},
    {"thresholdedrelu", "select(α<x,x,0)", true, false, 1},
};

Result<std::vector<double>> numbers_attribute(const GraphNode& node, const std::string& name) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return std::vector<double>();
  if (const auto* numbers = std::get_if<std::vector<double>>(&found->second)) return *numbers;
  if (const auto* none = std::get_if<std::vector<int64_t>>(&found->second); none && none->empty())
    return std::vector<double>();
  return fail("attribute {} of node {} has another type; expected numbers", name, node.name);
}

class StepText {
 public:
  StepText(const Recurrence& recurrence, size_t d) : r_(recurrence), d_(d) {}

  // A gate before its activation: the sum of the inputs' and the state's shares.
  std::string gate(int64_t g) const { return clipped(inputs(g) + "+" + state(g)); }
  std::string inputs(int64_t g) const {
    return fmt::format("A[clamp(S[0],0,{}),b,{}]{}", r_.steps - 1, at(g), bias(g));
  }
  std::string state(int64_t g) const {
    return fmt::format("P[b,{}]{}", at(g), bias(r_.gates() + g));
  }
  std::string peephole(int64_t g, const std::string& cell) const {
    return r_.has_peepholes ? fmt::format("+Q[{},{}]*{}", d_, at(g), cell) : "";
  }
  std::string clipped(const std::string& x) const {
    if (r_.clip <= 0) return x;
    return fmt::format("clip({},0-{},{})", x, number_text(r_.clip), number_text(r_.clip));
  }
  std::string activated(size_t place, const std::string& x) const {
    const std::string& formula = r_.activations[d_ * r_.activations_each() + place];
    return "(" + filled(formula, {{"x", "(" + x + ")"}}) + ")";
  }

  // The statements of the new state H, and with lengths of the step's output V.
  std::string made(const std::string& value, const std::string& before) const {
    if (!r_.has_lengths) return "H[b,h]=" + value;
    return fmt::format(
        "N[b,h]={0};H[b,h]=select(S[0]<L[b],N[b,h],{1});V[b,h]=select(S[0]<L[b],N[b,h],0)", value,
        before);
  }
  std::string cell(const std::string& value, const std::string& before) const {
    return r_.has_lengths ? fmt::format("select(S[0]<L[b],{},{})", value, before) : value;
  }

  // The text with the extents of the tensors that it names.
  std::string finish(const std::string& statements, int64_t gates_of_product) const {
    std::string text = fmt::format("{}:b={},h={}", statements, r_.batch, r_.hidden);
    const auto add = [&](std::string_view tensor, const std::string& shape) {
      if (statements.find(std::string(tensor) + "[") != std::string::npos)
        text += fmt::format(",{}={}", tensor, shape);
    };
    add("A", fmt::format("{}x{}x{}", r_.steps, r_.batch, r_.gates() * r_.hidden));
    add("S", "1xi64");
    add("P", fmt::format("{}x{}", r_.batch, gates_of_product * r_.hidden));
    add("B", fmt::format("{}x{}", r_.directions, 2 * r_.gates() * r_.hidden));
    add("E", fmt::format("{}x{}", r_.batch, r_.hidden));
    add("L", fmt::format("{}xi32", r_.batch));
    add("D", fmt::format("{}x{}", r_.batch, r_.hidden));
    add("Q", fmt::format("{}x{}", r_.directions, 3 * r_.hidden));
    add("U", fmt::format("{}x{}", r_.batch, r_.hidden));
    return text;
  }

 private:
  std::string at(int64_t g) const { return g == 0 ? "h" : fmt::format("h+{}", g * r_.hidden); }
  std::string bias(int64_t g) const {
    return r_.has_bias ? fmt::format("+B[{},{}]", d_, at(g)) : "";
  }

  const Recurrence& r_;
  size_t d_;
};

}  // namespace

Result<std::vector<std::string>> activation_formulas(const GraphNode& node,
                                                     const Recurrence& recurrence) {
  const std::string otherwise = recurrence.kind == "LSTM"  ? "Sigmoid,Tanh,Tanh"
                                : recurrence.kind == "GRU" ? "Sigmoid,Tanh"
                                                           : "Tanh";
  const std::string given = TRY(text_attribute(node, "activations", ""));
  std::string all = given;
  for (int64_t d = 0; given.empty() && d < recurrence.directions; ++d)
    all += (d == 0 ? "" : ",") + otherwise;
  const std::vector<std::string_view> names = split(all, ',');
  const size_t expected =
      recurrence.activations_each() * static_cast<size_t>(recurrence.directions);
  if (names.size() != expected)
    return fail("node {} ({}) has activations {}; expected {} of them", node.name, node.type, all,
                expected);
  const std::vector<double> alphas = TRY(numbers_attribute(node, "activation_alpha"));
  const std::vector<double> betas = TRY(numbers_attribute(node, "activation_beta"));
  size_t alpha = 0, beta = 0;
  std::vector<std::string> formulas;
  for (const std::string_view name : names) {
    const auto* const row = std::ranges::find(kActivations, lower_case(name), &Activation::name);
    if (row == std::end(kActivations))
      return fail("node {} ({}) has the activation {}; expected one of ONNX's", node.name,
                  node.type, name);
    const double a = row->has_alpha && alpha < alphas.size() ? alphas[alpha++] : row->alpha;
    const double b = row->has_beta && beta < betas.size() ? betas[beta++] : row->beta;
    formulas.push_back(filled(row->text, {{"α", number_text(a)}, {"β", number_text(b)}}));
  }
  return formulas;
}

// ONNX's order of gates is input, output, forget, cell. A region's outputs are the tensors that
// none of its statements reads, so that the cell K is copied to C.
std::string lstm_step(const Recurrence& recurrence, size_t d) {
  const StepText text(recurrence, d);
  const auto gate = [&](int64_t g, const std::string& cell) {
    return text.activated(
        0, text.clipped(text.inputs(g) + "+" + text.state(g) + text.peephole(g, cell)));
  };
  const std::string before = "D[b,h]", cell = "K[b,h]";
  const std::string input = gate(0, before);
  const std::string forget = recurrence.input_forget ? "(1-" + input + ")" : gate(2, before);
  return text.finish(
      fmt::format("{0}={1}*{2}+{3}*{4};C[b,h]={5};{6}", cell, forget, before, input,
                  text.activated(1, text.gate(3)), text.cell(cell, before),
                  text.made(gate(1, cell) + "*" + text.activated(2, cell), "E[b,h]")),
      4);
}

std::string rnn_step(const Recurrence& recurrence, size_t d) {
  const StepText text(recurrence, d);
  return text.finish(text.made(text.activated(0, text.gate(0)), "E[b,h]"), 1);
}

// Gates are update, reset, hidden.
std::string gru_step(const Recurrence& recurrence, size_t d) {
  const StepText text(recurrence, d);
  const std::string reset = text.activated(0, text.gate(1));
  const std::string hidden = text.activated(
      1, text.clipped(fmt::format("{}+{}*({})", text.inputs(2), reset, text.state(2))));
  const std::string update = text.activated(0, text.gate(0));
  return text.finish(text.made(fmt::format("(1-{0})*{1}+{0}*D[b,h]", update, hidden), "D[b,h]"), 3);
}

std::string gru_gates(const Recurrence& recurrence, size_t d) {
  const StepText text(recurrence, d);
  return text.finish(fmt::format("Z[b,h]={};G[b,h]={}*D[b,h]", text.activated(0, text.gate(0)),
                                 text.activated(0, text.gate(1))),
                     2);
}

std::string gru_state(const Recurrence& recurrence, size_t d) {
  const StepText text(recurrence, d);
  std::string product = text.state(2);  // P has this gate alone
  const std::string place = fmt::format("P[b,h+{}]", 2 * recurrence.hidden);
  product.replace(product.find(place), place.size(), "P[b,h]");
  const std::string hidden = text.activated(1, text.clipped(text.inputs(2) + "+" + product));
  return text.finish(text.made(fmt::format("(1-U[b,h])*{}+U[b,h]*D[b,h]", hidden), "D[b,h]"), 1);
}

}  // namespace dovetail
