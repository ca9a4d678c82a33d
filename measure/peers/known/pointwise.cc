// SPDX-License-Identifier: Apache-2.0
//
// Chains of elementwise steps, from the outermost operation inwards:
//
//     max(A[i,j] + B[j], 0)     relu of (A + B), which is B added to A
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "measure/peers/known/forms.h"
#include "measure/peers/known/value_pattern.h"

namespace dovetail::known {
namespace {

using Function = ElementwiseFunction;
using Step = decltype(Elementwise::steps)::value_type;
using Holes = ValuePattern::Holes;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// X is the function's argument; A and B are numbers: alpha and beta, with these defaults where the
// pattern has no such hole.
struct KnownFunction {
  Function::Kind kind;
  ValuePattern pattern;
  double alpha = 0, beta = 0;
};

// Specific patterns first: clip would match a relu, too.
const std::vector<KnownFunction>& known_functions() {
  using enum Function::Kind;
  static const std::vector<KnownFunction> kFunctions = {
      {gelu, ValuePattern("gelu(X[i])")},
      {silu, ValuePattern("silu(X[i])")},
      {sigmoid, ValuePattern("sigmoid(X[i])")},
      {hardswish, ValuePattern("X[i]*clip(X[i]/6+0.5,0,1)")},
      {hardswish, ValuePattern("X[i]*clip(X[i]+3,0,6)/6")},
      {relu, ValuePattern("relu(X[i])")},
      {clip, ValuePattern("min(max(X[i],A[i]),B[i])")},
      {clip, ValuePattern("max(min(X[i],B[i]),A[i])")},
      {clip, ValuePattern("max(X[i],A[i])"), 0, kInfinity},
      {clip, ValuePattern("min(X[i],B[i])"), -kInfinity},
      {leaky_relu, ValuePattern("select(X[i]<0,A[i]*X[i],X[i])")},
      {elu, ValuePattern("select(X[i]<0,A[i]*(exp(X[i])-1),X[i])")},
      {abs, ValuePattern("abs(X[i])")},
      {exp, ValuePattern("exp(X[i])")},
      {log, ValuePattern("log(X[i])")},
      {sqrt, ValuePattern("sqrt(X[i])")},
      {tanh, ValuePattern("tanh(X[i])")},
      {linear, ValuePattern("X[i]*A[i]+B[i]"), 1, 0},
      {linear, ValuePattern("X[i]*A[i]"), 1, 0},
      {linear, ValuePattern("X[i]+B[i]"), 1, 0},
  };
  return kFunctions;
}

// The number in a hole; nothing if the hole has another value.
std::optional<double> number_in(const Holes& holes, std::string_view name, double otherwise) {
  const auto hole = holes.find(name);
  if (hole == holes.end()) return otherwise;
  const auto* number = hole->second.as<Constant>();
  return number == nullptr ? std::nullopt : std::optional(number->value);
}

std::optional<Function> function_in(const KnownFunction& known, const Holes& holes) {
  const auto alpha = number_in(holes, "A", known.alpha), beta = number_in(holes, "B", known.beta);
  if (!alpha || !beta || (known.kind == Function::Kind::clip && *alpha > *beta))
    return std::nullopt;
  return Function{known.kind, *alpha, *beta};
}

bool is_a_step(BinaryOp op) {
  using enum BinaryOp;
  return op == add || op == sub || op == mul || op == div || op == max || op == min;
}

// The output's dimensions, 1 where the tensor is broadcast; nothing if it is not read by numpy's
// rule: its axes in the output's order.
std::optional<ElementwiseOperand> operand_of(const Access& access, const Computation& c) {
  const std::vector<int64_t> shape = shape_of(tensor_named(c, access.tensor));
  ElementwiseOperand operand{access.tensor, std::vector<int64_t>(c.output.indices.size(), 1)};
  size_t next = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    const IndexExpr& index = access.indices[i];
    if (index == IndexExpr(0) && shape[i] == 1) continue;
    const auto found = std::ranges::find(c.output.indices, index);
    const auto axis = static_cast<size_t>(found - c.output.indices.begin());
    if (found == c.output.indices.end() || axis < next || shape[i] != c.axes[axis].extent)
      return std::nullopt;
    operand.shape[axis] = shape[i];
    next = axis + 1;
  }
  return access.conditions.empty() ? std::optional(std::move(operand)) : std::nullopt;
}

class ChainReader {
 public:
  ChainReader(const Computation& c, std::vector<ElementwiseOperand> operands)
      : operands_(std::move(operands)) {
    for (const IndexExpr& index : c.output.indices) {
      const auto axis = std::ranges::find(c.axes, index.variables().front(), &Axis::name);
      shape_.push_back(axis->extent);
    }
  }

  std::optional<Elementwise> read(const Value& value) const {
    if (const auto* leaf = value.as<ReadOf>()) {
      const ElementwiseOperand& operand = operand_at(*leaf);
      return operand.shape == shape_ ? std::optional(Elementwise{operand, {}}) : std::nullopt;
    }
    for (const KnownFunction& known : known_functions()) {
      for (const Holes& holes : known.pattern.matches(value)) {
        const auto function = function_in(known, holes);
        if (!function) continue;
        if (auto chain = read(holes.at("X"))) return extended(*std::move(chain), *function);
      }
    }
    return read_binary(value);
  }

 private:
  const ElementwiseOperand& operand_at(const ReadOf& leaf) const {
    return operands_[static_cast<size_t>(leaf.position)];
  }

  static Elementwise extended(Elementwise chain, Step step) {
    chain.steps.push_back(std::move(step));
    return chain;
  }

  std::optional<Elementwise> read_binary(const Value& value) const {
    const auto* binary = value.as<Binary>();
    if (binary == nullptr || !is_a_step(binary->op)) return std::nullopt;
    if (auto chain = joined(binary->op, binary->left, binary->right)) return chain;
    const bool ordered = binary->op == BinaryOp::sub || binary->op == BinaryOp::div;
    return ordered ? std::nullopt : joined(binary->op, binary->right, binary->left);
  }

  std::optional<Elementwise> joined(BinaryOp op, const Value& before, const Value& with) const {
    if (const auto* number = with.as<Constant>()) return by_number(op, before, number->value);
    const auto* leaf = with.as<ReadOf>();
    if (leaf == nullptr) return std::nullopt;
    auto chain = read(before);
    if (!chain) return std::nullopt;
    return extended(*std::move(chain), ElementwiseStep{op, operand_at(*leaf)});
  }

  // Quotients and differences only: products and sums are functions above.
  std::optional<Elementwise> by_number(BinaryOp op, const Value& before, double number) const {
    const bool divides = op == BinaryOp::div;
    if (!divides && op != BinaryOp::sub) return std::nullopt;
    auto chain = read(before);
    if (!chain) return std::nullopt;
    return extended(*std::move(chain), Function{Function::Kind::linear, divides ? 1 / number : 1,
                                                divides ? 0 : -number});
  }

  std::vector<ElementwiseOperand> operands_;
  std::vector<int64_t> shape_;
};

std::vector<ElementwiseOperand*> operands_of(Elementwise& chain) {
  std::vector<ElementwiseOperand*> operands = {&chain.input};
  for (auto& step : chain.steps)
    if (auto* with = std::get_if<ElementwiseStep>(&step)) operands.push_back(&with->operand);
  return operands;
}

// Collapses neighbouring dimensions that the same operands broadcast, and drops dimensions of
// extent 1 in the output.
Elementwise folded(Elementwise chain) {
  const std::vector<int64_t> whole = chain.input.shape;
  const std::vector<ElementwiseOperand*> operands = operands_of(chain);
  std::vector<std::vector<int64_t>> shapes(operands.size());
  std::vector<bool> last;
  for (size_t d = 0; d < whole.size(); ++d) {
    if (whole[d] == 1) continue;
    std::vector<bool> repeats;
    for (const ElementwiseOperand* operand : operands) repeats.push_back(operand->shape[d] == 1);
    const bool joins = repeats == last;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (!joins) shapes[k].push_back(1);
      shapes[k].back() *= operands[k]->shape[d];
    }
    last = std::move(repeats);
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    if (shapes[k].empty()) shapes[k].push_back(1);
    operands[k]->shape = std::move(shapes[k]);
  }
  return chain;
}

// The only computation of a region without a reduction, with its reads as operands.
struct Pointwise {
  const Computation* c = nullptr;
  std::vector<ElementwiseOperand> operands;
};

std::optional<Pointwise> pointwise(const Region& region) {
  if (region.computations.size() != 1) return std::nullopt;
  const Computation& c = region.computations.front().computation;
  if (c.reducer != Reducer::none || !c.chosen.empty() || c.output.indices.empty())
    return std::nullopt;
  Pointwise found{.c = &c, .operands = {}};
  for (const Access& access : c.reads) {
    auto operand = operand_of(access, c);
    if (!operand) return std::nullopt;
    found.operands.push_back(*std::move(operand));
  }
  return found;
}

// The only axis longer than 1, if all have the same one: they hold one value per channel.
std::optional<size_t> channel_of(const std::vector<const ElementwiseOperand*>& vectors) {
  const std::vector<int64_t>& shape = vectors.front()->shape;
  const auto is_long = [](int64_t extent) { return extent > 1; };
  const bool alike = std::ranges::all_of(
      vectors, [&](const ElementwiseOperand* other) { return other->shape == shape; });
  if (!alike || std::ranges::count_if(shape, is_long) != 1) return std::nullopt;
  return static_cast<size_t>(std::ranges::find_if(shape, is_long) - shape.begin());
}

int64_t product(std::span<const int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

std::optional<BatchNorm> batch_norm(const Region& region) {
  static const ValuePattern kPattern("(X[i]-M[i])*rsqrt(V[i]+A[i])*S[i]+B[i]");
  const auto found = pointwise(region);
  if (!found) return std::nullopt;
  for (const Holes& holes : kPattern.matches(found->c->element)) {
    std::vector<const ElementwiseOperand*> read;
    for (const char* name : {"X", "M", "V", "S", "B"})
      if (const auto* leaf = holes.at(name).as<ReadOf>())
        read.push_back(&found->operands[static_cast<size_t>(leaf->position)]);
    const auto epsilon = number_in(holes, "A", 0);
    if (read.size() != 5 || !epsilon) continue;
    const auto channel = channel_of({read.begin() + 1, read.end()});
    if (!channel) continue;
    const std::span<const int64_t> shape = read[0]->shape;
    return BatchNorm{.input = read[0]->tensor,
                     .mean = read[1]->tensor,
                     .variance = read[2]->tensor,
                     .scale = read[3]->tensor,
                     .shift = read[4]->tensor,
                     .n = product(shape.first(*channel)),
                     .c = shape[*channel],
                     .pixels = product(shape.subspan(*channel + 1)),
                     .epsilon = *epsilon};
  }
  return std::nullopt;
}

std::optional<Elementwise> elementwise(const Region& region) {
  const auto found = pointwise(region);
  if (!found) return std::nullopt;
  auto chain = ChainReader(*found->c, found->operands).read(found->c->element);
  if (!chain || chain->steps.empty()) return std::nullopt;
  return folded(*std::move(chain));
}

}  // namespace dovetail::known
