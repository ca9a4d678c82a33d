// SPDX-License-Identifier: Apache-2.0
// Rules of elementwise nodes. Floating-point numbers are computed in f32, as in a running network;
// half precision and double are left to the network.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/frontend/constants/constant_rules.h"
#include "core/frontend/constants/element_order.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::constant_rules {
namespace {

using MaybeWhole = std::optional<int64_t>;

template <typename Number>
struct Unary {
  std::string_view type;
  Number (*compute)(Number);
};

// Integers wrap on overflow.
int64_t wrapped(uint64_t bits) { return static_cast<int64_t>(bits); }
uint64_t bits_of(int64_t number) { return static_cast<uint64_t>(number); }

constexpr Unary<float> kUnaryFloats[] = {
    {"Abs", [](float a) { return std::abs(a); }},
    {"Ceil", [](float a) { return std::ceil(a); }},
    {"Cos", [](float a) { return std::cos(a); }},
    {"Exp", [](float a) { return std::exp(a); }},
    {"Floor", [](float a) { return std::floor(a); }},
    {"Log", [](float a) { return std::log(a); }},
    {"Neg", [](float a) { return -a; }},
    {"Reciprocal", [](float a) { return 1 / a; }},
    {"Sign", [](float a) { return static_cast<float>((a > 0) - (a < 0)); }},
    {"Sin", [](float a) { return std::sin(a); }},
    {"Sqrt", [](float a) { return std::sqrt(a); }},
};
constexpr Unary<int64_t> kUnaryWholes[] = {
    {"Abs", [](int64_t a) { return a < 0 ? wrapped(0 - bits_of(a)) : a; }},
    {"Neg", [](int64_t a) { return wrapped(0 - bits_of(a)); }},
    {"Not", [](int64_t a) { return int64_t{a == 0}; }},
    {"Sign", [](int64_t a) { return int64_t{a > 0} - int64_t{a < 0}; }},
};

struct BinaryFloats {
  std::string_view type;
  float (*compute)(float, float);
};
constexpr BinaryFloats kBinaryFloats[] = {
    {"Add", [](float a, float b) { return a + b; }},
    {"Div", [](float a, float b) { return a / b; }},
    {"Max", [](float a, float b) { return std::max(a, b); }},
    {"Min", [](float a, float b) { return std::min(a, b); }},
    {"Mul", [](float a, float b) { return a * b; }},
    {"Pow", [](float a, float b) { return std::pow(a, b); }},
    {"Sub", [](float a, float b) { return a - b; }},
    {"Sum", [](float a, float b) { return a + b; }},
};

// nullopt: the quotient is undefined, or the power is not known to be exact.
struct BinaryWholes {
  std::string_view type;
  MaybeWhole (*compute)(int64_t, int64_t);
};
bool divides(int64_t a, int64_t b) {
  return b != 0 && !(a == std::numeric_limits<int64_t>::min() && b == -1);
}
MaybeWhole floor_modulo(int64_t a, int64_t b) {
  if (!divides(a, b)) return std::nullopt;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
MaybeWhole power(int64_t a, int64_t b) {
  const double value = std::pow(static_cast<double>(a), static_cast<double>(b));
  if (b < 0 || !(std::abs(value) < 0x1p53)) return std::nullopt;
  return static_cast<int64_t>(value);
}
constexpr BinaryWholes kBinaryWholes[] = {
    {"Add", [](int64_t a, int64_t b) -> MaybeWhole { return wrapped(bits_of(a) + bits_of(b)); }},
    {"And", [](int64_t a, int64_t b) -> MaybeWhole { return (a != 0) && (b != 0); }},
    {"Div", [](int64_t a, int64_t b) { return divides(a, b) ? MaybeWhole(a / b) : std::nullopt; }},
    {"Max", [](int64_t a, int64_t b) -> MaybeWhole { return std::max(a, b); }},
    {"Min", [](int64_t a, int64_t b) -> MaybeWhole { return std::min(a, b); }},
    {"Mod", floor_modulo},
    {"Mul", [](int64_t a, int64_t b) -> MaybeWhole { return wrapped(bits_of(a) * bits_of(b)); }},
    {"Or", [](int64_t a, int64_t b) -> MaybeWhole { return (a != 0) || (b != 0); }},
    {"Pow", power},
    {"Sub", [](int64_t a, int64_t b) -> MaybeWhole { return wrapped(bits_of(a) - bits_of(b)); }},
    {"Xor", [](int64_t a, int64_t b) -> MaybeWhole { return (a != 0) != (b != 0); }},
};

template <typename Number>
struct Comparison {
  std::string_view type;
  bool (*holds)(Number, Number);
};
template <typename Number>
constexpr Comparison<Number> kComparisons[] = {
    {"Equal", [](Number a, Number b) { return a == b; }},
    {"Greater", [](Number a, Number b) { return a > b; }},
    {"GreaterOrEqual", [](Number a, Number b) { return a >= b; }},
    {"Less", [](Number a, Number b) { return a < b; }},
    {"LessOrEqual", [](Number a, Number b) { return a <= b; }},
};

const auto* find_by_type(const auto& table, std::string_view type) {
  const auto* const found =
      std::ranges::find_if(table, [&](const auto& row) { return row.type == type; });
  return found == std::end(table) ? nullptr : found;
}

bool is_whole(ElementType type) {
  switch (type) {
    case ElementType::i32:
    case ElementType::i64:
    case ElementType::boolean: return true;
    default: return false;
  }
}

bool is_computed(const GraphTensor& tensor) {
  return tensor.type == ElementType::f32 || is_whole(tensor.type);
}

// Wraps an i32 on overflow.
int64_t fitted(ElementType type, int64_t number) {
  return type == ElementType::i32 ? static_cast<int32_t>(number) : number;
}

// A constant in the tensor's shape, of the numbers that `convert` makes from its own.
ConstantOutputs mapped(const GraphTensor& tensor, const auto& from, ElementType type,
                       const auto& convert) {
  std::vector<decltype(convert(from[0]))> numbers(from.size());
  std::ranges::transform(from, numbers.begin(), convert);
  return one_output(new_constant(type, *tensor.shape, std::move(numbers)));
}

ConstantOutputs unary(const ConstantCall& call) {
  const GraphTensor& tensor = *call.inputs[0];
  if (is_whole(tensor.type)) {
    const auto* const row = find_by_type(kUnaryWholes, call.node.type);
    if (row == nullptr) return std::nullopt;
    return mapped(tensor, tensor.data->as<int64_t>(), tensor.type,
                  [&](int64_t number) { return fitted(tensor.type, row->compute(number)); });
  }
  const auto* const row = find_by_type(kUnaryFloats, call.node.type);
  if (row == nullptr) return std::nullopt;
  return mapped(tensor, tensor.data->as<float>(), tensor.type, row->compute);
}

// Two constants of one type, broadcast to one shape.
struct Pair {
  GraphTensor a, b;
};

Result<std::optional<Pair>> pair_of(const ConstantCall& call, const GraphTensor& a,
                                    const GraphTensor& b) {
  if (a.type != b.type) return std::optional<Pair>();
  const auto shape = broadcast_shape(std::vector{*a.shape, *b.shape});
  if (!shape) return std::optional<Pair>();
  TRY(check_size(call, *shape));
  const auto repeated = [&](const GraphTensor& tensor) {
    return taken(tensor, *shape, elements_at(*shape, broadcast_steps(*tensor.shape, *shape)));
  };
  return std::optional(Pair{repeated(a), repeated(b)});
}

ConstantOutputs compared(std::string_view type, const Pair& pair) {
  std::vector<int64_t> truths;
  const auto compare = [&](const auto& a, const auto& b, const auto& table) {
    const auto* const row = find_by_type(table, type);
    for (size_t i = 0; i < a.size(); ++i) truths.push_back(row->holds(a[i], b[i]) ? 1 : 0);
  };
  const NDArray &a = *pair.a.data, &b = *pair.b.data;
  if (is_whole(pair.a.type))
    compare(a.as<int64_t>(), b.as<int64_t>(), kComparisons<int64_t>);
  else
    compare(a.as<float>(), b.as<float>(), kComparisons<float>);
  return one_output(new_constant(ElementType::boolean, *pair.a.shape, std::move(truths)));
}

ConstantOutputs binary(std::string_view type, const Pair& pair) {
  if (find_by_type(kComparisons<float>, type) != nullptr) return compared(type, pair);
  if (is_whole(pair.a.type)) {
    const auto* const row = find_by_type(kBinaryWholes, type);
    if (row == nullptr) return std::nullopt;
    const auto a = pair.a.data->as<int64_t>(), b = pair.b.data->as<int64_t>();
    std::vector<int64_t> numbers;
    for (size_t i = 0; i < a.size(); ++i) {
      const MaybeWhole number = row->compute(a[i], b[i]);
      if (!number) return std::nullopt;
      numbers.push_back(fitted(pair.a.type, *number));
    }
    return one_output(new_constant(pair.a.type, *pair.a.shape, std::move(numbers)));
  }
  const auto* const row = find_by_type(kBinaryFloats, type);
  if (row == nullptr) return std::nullopt;
  std::vector<float> numbers(pair.a.data->size());
  std::ranges::transform(pair.a.data->as<float>(), pair.b.data->as<float>(), numbers.begin(),
                         row->compute);
  return one_output(new_constant(pair.a.type, *pair.a.shape, std::move(numbers)));
}

bool is_variadic(std::string_view type) { return type == "Max" || type == "Min" || type == "Sum"; }

}  // namespace

Result<ConstantOutputs> elementwise(const ConstantCall& call) {
  for (const GraphTensor* input : call.inputs)
    if (input == nullptr || !is_computed(*input)) return ConstantOutputs();
  if (call.inputs.size() == 1 && !is_variadic(call.node.type)) return unary(call);
  const bool c_modulo = TRY(integer_attribute(call.node, "fmod", 0)) != 0;
  if (c_modulo || (call.inputs.size() != 2 && !is_variadic(call.node.type)))
    return ConstantOutputs();
  ConstantOutputs folded = one_output(*call.inputs[0]);
  for (size_t i = 1; i < call.inputs.size(); ++i) {
    const auto pair = TRY(pair_of(call, folded->front(), *call.inputs[i]));
    if (!pair) return ConstantOutputs();
    folded = binary(call.node.type, *pair);
    if (!folded) return ConstantOutputs();
  }
  return folded;
}

Result<ConstantOutputs> cast(const ConstantCall& call) {
  const GraphTensor& tensor = *call.inputs[0];
  const int64_t onnx_type = TRY(integer_attribute(call.node, "to", 0));
  constexpr int64_t kFloat = 1, kInt32 = 6, kInt64 = 7, kBool = 9;  // TensorProto::DataType
  const auto cast_to = [&](ElementType type, const auto& convert) {
    return with_elements(
        *tensor.data, [&](const auto& numbers) { return mapped(tensor, numbers, type, convert); });
  };
  if (onnx_type == kFloat)
    return cast_to(ElementType::f32, [](auto number) { return static_cast<float>(number); });
  if (onnx_type == kBool)
    return cast_to(ElementType::boolean, [](auto number) { return int64_t{number != 0}; });
  constexpr float kLargest = 0x1p31F;  // beyond it a conversion to i32 is not defined
  const bool fits = tensor.data->type() != ElementType::f32 ||
                    std::ranges::all_of(tensor.data->as<float>(),
                                        [&](float number) { return std::abs(number) < kLargest; });
  if ((onnx_type != kInt32 && onnx_type != kInt64) || !fits) return ConstantOutputs();
  const ElementType type = onnx_type == kInt32 ? ElementType::i32 : ElementType::i64;
  return cast_to(type, [&](auto number) { return fitted(type, static_cast<int64_t>(number)); });
}

Result<ConstantOutputs> where(const ConstantCall& call) {
  const GraphTensor *const a = call.input(1), *const b = call.input(2);
  if (a == nullptr || b == nullptr || a->type != b->type) return ConstantOutputs();
  const GraphTensor& condition = *call.inputs[0];
  const auto shape = broadcast_shape(std::vector{*condition.shape, *a->shape, *b->shape});
  if (!shape || !has_integers(condition)) return ConstantOutputs();
  TRY(check_size(call, *shape));
  const auto order = [&](const GraphTensor& tensor) {
    return elements_at(*shape, broadcast_steps(*tensor.shape, *shape));
  };
  const std::vector<int64_t> of_condition = order(condition), of_a = order(*a), of_b = order(*b);
  const auto conditions = condition.data->as<int64_t>();
  return with_elements(*a->data, [&]<typename Number>(std::span<const Number> from_a) {
    const auto from_b = b->data->as<Number>();
    std::vector<Number> chosen;
    for (size_t i = 0; i < of_condition.size(); ++i)
      chosen.push_back(conditions[static_cast<size_t>(of_condition[i])] != 0
                           ? from_a[static_cast<size_t>(of_a[i])]
                           : from_b[static_cast<size_t>(of_b[i])]);
    return one_output(new_constant(a->type, *shape, std::move(chosen)));
  });
}

}  // namespace dovetail::constant_rules
