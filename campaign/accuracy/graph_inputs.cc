// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/graph_inputs.h"

#include <random>
#include <utility>

#include "campaign/run/fitted_array.h"
#include "campaign/run/run.h"
#include "campaign/run/variant_run.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

NDArray random_values(const OuterTensor& tensor, std::mt19937_64& numbers) {
  std::vector<float> values(static_cast<size_t>(num_elements(tensor.shape)));
  const bool is_real = is_stored(tensor.type) && computed_type(tensor.type) == ComputedType::real;
  constexpr int kBits = 24;  // significand of a float
  for (float& value : values) {
    const auto bits = static_cast<float>(numbers() >> (64 - kBits));
    value = is_real ? bits * 0x1p-23F - 1 : static_cast<float>(bits >= 0x1p23F);
  }
  return converted(values, tensor.type).reshaped(tensor.shape);
}

}  // namespace

Result<std::vector<NDArray>> graph_inputs(const Graph& graph, const std::string& folder,
                                          uint64_t seed,
                                          const std::vector<std::string>& constants) {
  std::vector<OuterTensor> given;
  for (const TensorId id : graph.inputs) {
    const OuterTensor& input =
        given.emplace_back(outer_tensor(graph.tensors[static_cast<size_t>(id)]));
    if (!is_stored(input.type))
      return fail("input {} is of type {}; expected {}", input.name, name_of(input.type),
                  kStoredTypes);
  }
  NamedArrays read;
  if (!folder.empty()) {
    Result<NamedArrays> found = read_inputs(folder, given);
    if (!found && !constants.empty())
      return fail("{}; --constant holds {}, of which there is no file", found.error().message,
                  fmt::join(constants, " "));
    read = TRY(std::move(found));
  }
  std::mt19937_64 numbers(seed);
  std::vector<NDArray> inputs;
  for (const OuterTensor& input : given)
    inputs.push_back(folder.empty() ? random_values(input, numbers) : read[input.name]);
  return inputs;
}

InputsOfGraph given_inputs(std::vector<NDArray> arrays, uint64_t seed) {
  return [arrays = std::move(arrays), seed](const Graph& graph) -> Result<std::vector<NDArray>> {
    if (arrays.empty()) return graph_inputs(graph, "", seed);
    if (arrays.size() != graph.inputs.size())
      return fail("found {} inputs; expected {}", arrays.size(), graph.inputs.size());
    std::vector<NDArray> inputs;
    for (size_t i = 0; i < arrays.size(); ++i)
      inputs.push_back(
          TRY(fitted(fmt::format("input {}", i), arrays[i],
                     outer_tensor(graph.tensors[static_cast<size_t>(graph.inputs[i])]))));
    return inputs;
  };
}

}  // namespace dovetail
