// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/model/held_inputs.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/onnx/tensor.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {
namespace {

// As many as folding may make (fold_budget).
constexpr int64_t kMostHeldElements = int64_t{1} << 27;
// From this version on an initializer need not be an input, too.
constexpr int64_t kFreeInitializers = 4;

// A number as an element of the type; nullopt if the type cannot represent it, except for rounding.
std::optional<NDArray> element_of(const std::string& text, ElementType type) {
  if (computed_type(type) == ComputedType::real) {
    const auto number = read_number<double>(text);
    if (!number) return std::nullopt;
    // Constants of f64 are stored as floats.
    const NDArray held =
        converted(std::vector<double>{*number}, type == ElementType::f64 ? ElementType::f32 : type);
    if (!std::isfinite(held.real(0))) return std::nullopt;
    return NDArray{static_cast<float>(held.real(0))};
  }
  const auto number = read_number<int64_t>(text);
  if (!number || converted(std::vector<int64_t>{*number}, type).integer(0) != *number)
    return std::nullopt;
  return std::vector<int64_t>{*number};
}

std::string numbers_of(ElementType type) {
  if (type == ElementType::boolean) return "0 or 1";
  if (computed_type(type) == ComputedType::real)
    return fmt::format("a finite number of {}",
                       name_of(type == ElementType::f64 ? ElementType::f32 : type));
  const int64_t bits = 8 * bytes_of(type) - (is_signed(type) ? 1 : 0);
  const auto most = static_cast<int64_t>((uint64_t{1} << bits) - 1);
  return fmt::format("a whole number from {} to {}", is_signed(type) ? -most - 1 : 0, most);
}

Result<GraphTensor> held_tensor(const onnx::ValueInfoProto& input, const std::string& number) {
  const auto& declared = input.type().tensor_type();
  const std::string given = fmt::format("--constant {}={}", input.name(), number);
  GraphTensor tensor{.name = input.name(),
                     .type = element_type_of(declared.elem_type()),
                     .shape = std::vector<int64_t>(),
                     .constant = true,
                     .data = {}};
  if (!is_stored(tensor.type))
    return fail("{}: the input is of {}; expected {}", given, name_of(tensor.type), kStoredTypes);
  int64_t count = 1;
  for (const auto& dim : declared.shape().dim()) {
    tensor.shape->push_back(dim.dim_value());
    if (dim.dim_value() > kMostHeldElements / std::max<int64_t>(count, 1))
      return fail("{}: the input has more than {} elements; expected at most so many", given,
                  kMostHeldElements);
    count *= dim.dim_value();
  }
  const auto element = element_of(number, tensor.type);
  if (!element)
    return fail("{}: the input is of {}; expected {}", given, name_of(tensor.type),
                numbers_of(tensor.type));
  const auto size = static_cast<size_t>(count);
  with_elements(*element,
                [&](const auto& number) { become_constant(tensor, std::vector(size, number[0])); });
  return tensor;
}

}  // namespace

Result<std::vector<GraphTensor>> held_tensors(const NumbersByInput& numbers,
                                              const onnx::GraphProto& graph) {
  std::set<std::string> initializers;
  for (const auto& tensor : graph.initializer()) initializers.insert(tensor.name());
  std::set<std::string> inputs;
  std::vector<GraphTensor> tensors;
  for (const auto& input : graph.input()) {
    if (initializers.contains(input.name()) || !inputs.insert(input.name()).second) continue;
    const auto number = numbers.find(input.name());
    if (number != numbers.end()) tensors.push_back(TRY(held_tensor(input, number->second)));
  }
  for (const auto& [name, number] : numbers)
    if (!inputs.contains(name))
      return fail("--constant names {}, which is no input; expected one of {}", name,
                  fmt::join(inputs, " "));
  return tensors;
}

Result<void> hold_inputs(const NumbersByInput& numbers, onnx::ModelProto& model) {
  if (numbers.empty()) return {};
  onnx::GraphProto& graph = *model.mutable_graph();
  for (const GraphTensor& tensor : TRY(held_tensors(numbers, graph)))
    *graph.add_initializer() = to_onnx(tensor);
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> others;
  for (auto& input : *graph.mutable_input())
    if (!numbers.contains(input.name())) others.Add()->Swap(&input);
  graph.mutable_input()->Swap(&others);
  model.set_ir_version(std::max(model.ir_version(), kFreeInitializers));
  return {};
}

}  // namespace dovetail
