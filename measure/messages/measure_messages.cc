// SPDX-License-Identifier: Apache-2.0
#include "measure/messages/measure_messages.h"

#include <span>

#include "core/base/fail.h"

namespace dovetail {

std::vector<DataKind> data_kinds_of(const MeasureInput& input) {
  const bool is_exact = is_exact_on_integers(input.trace.algorithm);
  const Region& region = input.spec.region;
  std::vector<DataKind> kinds = {
      data_kind_of(region, is_exact ? DataKind::small_integers : DataKind::real)};
  if (input.purpose == Purpose::confirm && kinds.front() != DataKind::real)
    kinds.push_back(DataKind::real);
  return kinds;
}

RegionOperands operands_message(const NamedArrays& inputs) {
  RegionOperands message;
  for (const auto& [name, values] : inputs) {
    message.tensors.push_back({name, values.type(), values.shape()});
    append(values.bytes(), message.bytes);
  }
  return message;
}

Result<NamedArrays> inputs_of(const RegionOperands& message) {
  constexpr uint64_t kTooMany = UINT64_MAX;
  NamedArrays inputs;
  std::span<const std::byte> rest = message.bytes;
  for (const RegionOperands::Tensor& tensor : message.tensors) {
    if (!is_stored(tensor.type)) return fail("operand {} has no stored type", tensor.name);
    auto bytes = static_cast<uint64_t>(bytes_of(tensor.type));
    for (const int64_t extent : tensor.shape) {
      const auto factor = static_cast<uint64_t>(extent);
      bytes = extent > 0 && bytes <= rest.size() / factor ? bytes * factor : kTooMany;
    }
    if (bytes > rest.size())
      return fail("operand {} exceeds the {} bytes that follow", tensor.name, rest.size());
    const auto own = rest.first(bytes);
    inputs[tensor.name] =
        NDArray(tensor.type, tensor.shape, std::vector<std::byte>(own.begin(), own.end()));
    rest = rest.subspan(bytes);
  }
  return inputs;
}

}  // namespace dovetail
