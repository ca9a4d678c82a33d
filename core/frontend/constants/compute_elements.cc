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

ConstantOutputs unary(const ConstantCall& call) {
  const GraphTensor& tensor = *call.inputs[0];
  ConstantData data;
  if (is_whole(tensor.type)) {
    const auto* const row = find_by_type(kUnaryWholes, call.node.type);
    if (row == nullptr) return std::nullopt;
    for (const int64_t number : tensor.data->integers)
      data.integers.push_back(fitted(tensor.type, row->compute(number)));
  } else {
    const auto* const row = find_by_type(kUnaryFloats, call.node.type);
    if (row == nullptr) return std::nullopt;
    std::ranges::transform(tensor.data->floats, std::back_inserter(data.floats), row->compute);
  }
  return one_output(new_constant(tensor.type, *tensor.shape, std::move(data)));
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
  ConstantData data;
  const auto compare = [&](const auto& a, const auto& b, const auto& table) {
    const auto* const row = find_by_type(table, type);
    for (size_t i = 0; i < a.size(); ++i) data.integers.push_back(row->holds(a[i], b[i]) ? 1 : 0);
  };
  if (is_whole(pair.a.type))
    compare(pair.a.data->integers, pair.b.data->integers, kComparisons<int64_t>);
  else
    compare(pair.a.data->floats, pair.b.data->floats, kComparisons<float>);
  return one_output(new_constant(ElementType::boolean, *pair.a.shape, std::move(data)));
}

ConstantOutputs binary(std::string_view type, const Pair& pair) {
  if (find_by_type(kComparisons<float>, type) != nullptr) return compared(type, pair);
  ConstantData data;
  if (is_whole(pair.a.type)) {
    const auto* const row = find_by_type(kBinaryWholes, type);
    if (row == nullptr) return std::nullopt;
    const std::vector<int64_t>&a = pair.a.data->integers, &b = pair.b.data->integers;
    for (size_t i = 0; i < a.size(); ++i) {
      const MaybeWhole number = row->compute(a[i], b[i]);
      if (!number) return std::nullopt;
      data.integers.push_back(fitted(pair.a.type, *number));
    }
  } else {
    const auto* const row = find_by_type(kBinaryFloats, type);
    if (row == nullptr) return std::nullopt;
    std::ranges::transform(pair.a.data->floats, pair.b.data->floats,
                           std::back_inserter(data.floats), row->compute);
  }
  return one_output(new_constant(pair.a.type, *pair.a.shape, std::move(data)));
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
  ConstantData data;
  ElementType type = ElementType::f32;
  const auto numbers = [&](auto convert) {
    for (const int64_t number : tensor.data->integers) convert(number);
    for (const float number : tensor.data->floats) convert(number);
  };
  constexpr float kLargest = 0x1p31F;  // beyond it a conversion to i32 is not defined
  const bool fits = std::ranges::all_of(tensor.data->floats,
                                        [&](float number) { return std::abs(number) < kLargest; });
  if (onnx_type == kFloat) {
    numbers([&](auto number) { data.floats.push_back(static_cast<float>(number)); });
  } else if (onnx_type == kBool) {
    type = ElementType::boolean;
    numbers([&](auto number) { data.integers.push_back(number != 0 ? 1 : 0); });
  } else if ((onnx_type == kInt32 || onnx_type == kInt64) && fits) {
    type = onnx_type == kInt32 ? ElementType::i32 : ElementType::i64;
    numbers(
        [&](auto number) { data.integers.push_back(fitted(type, static_cast<int64_t>(number))); });
  } else {
    return ConstantOutputs();
  }
  return one_output(new_constant(type, *tensor.shape, std::move(data)));
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
  ConstantData data;
  const auto choose = [&](const auto& from_a, const auto& from_b, auto& to) {
    if (from_a.empty()) return;
    for (size_t i = 0; i < of_condition.size(); ++i) {
      const bool holds = condition.data->integers[static_cast<size_t>(of_condition[i])] != 0;
      to.push_back(holds ? from_a[static_cast<size_t>(of_a[i])]
                         : from_b[static_cast<size_t>(of_b[i])]);
    }
  };
  choose(a->data->floats, b->data->floats, data.floats);
  choose(a->data->integers, b->data->integers, data.integers);
  return one_output(new_constant(a->type, *shape, std::move(data)));
}

}  // namespace dovetail::constant_rules
