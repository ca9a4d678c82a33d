// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/check_data.h"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ir/region/region_text.h"
#include "measure/reference/tail_reference.h"

namespace dovetail {
namespace {

// Each element has its own bound; messages give errors relative to the largest element.
Reference bounded(BoundedTensor tensor) {
  double largest = 0;
  for (size_t i = 0; i < tensor.values.size(); ++i) {
    const double value = std::abs(tensor.values.real(i));
    // An element whose error is unbounded may exceed all floats.
    if (std::isfinite(value) && std::isfinite(tensor.errors[i])) largest = std::max(largest, value);
  }
  return {.values = std::move(tensor.values),
          .scale = {static_cast<float>(largest)},
          .errors = std::move(tensor.errors)};
}

}  // namespace

const NDArray& values_of(const Expected& expected) {
  const auto* exact = std::get_if<NDArray>(&expected);
  return exact != nullptr ? *exact : std::get<Reference>(expected).values;
}

Operands operands_of(const NamedArrays& inputs) {
  Operands operands;
  for (const auto& [tensor, array] : kOperands)
    if (const auto found = inputs.find(tensor); found != inputs.end())
      operands.*array = found->second;
  return operands;
}

NamedArrays make_inputs(const Region& region, DataKind kind, uint64_t seed) {
  if (!region.op) return make_region_inputs(region, seed);
  NamedArrays inputs;
  const Operands operands = make_operands(*region.op, kind, seed);
  for (const auto& [tensor, array] : kOperands)
    if (!(operands.*array).empty()) inputs[tensor] = operands.*array;
  if (region.op->tail) inputs.merge(make_tail_inputs(*region.op, seed));
  return inputs;
}

ExpectedOutputs expected_outputs(const Region& region, const NamedArrays& inputs,
                                 const SumBound& sums) {
  ExpectedOutputs expected;
  if (region.op) {
    expected[region.outputs.front()] = region.op->tail
                                           ? reference_with_tail(*region.op, inputs, sums)
                                           : compute_reference(*region.op, operands_of(inputs));
    return expected;
  }
  RegionValues values = evaluate_region(region, inputs, sums);
  for (const std::string& name : region.outputs)
    expected[name] = bounded(std::move(values.find(name)->second));
  return expected;
}

NamedArrays expected_numbers(const Region& region, const NamedArrays& inputs) {
  NamedArrays numbers;
  if (region.op) {
    numbers[region.outputs.front()] = region.op->tail
                                          ? values_with_tail(*region.op, inputs)
                                          : reference_values(*region.op, operands_of(inputs));
    return numbers;
  }
  RegionValues values = evaluate_region(region, inputs);
  for (const std::string& name : region.outputs)
    numbers[name] = std::move(values.find(name)->second.values);
  return numbers;
}

DataKind data_kind_of(const Region& region, DataKind wanted) {
  return region.op && is_exact_on_integers(*region.op) ? wanted : DataKind::real;
}

std::shared_ptr<const CheckData> CheckData::make(const Region& region, DataKind kind, uint64_t seed,
                                                 const NamedArrays* own) {
  kind = data_kind_of(region, kind);
  auto data = std::make_shared<CheckData>();
  data->region = region;
  const bool has_own = own != nullptr && kind == DataKind::real;
  // If data choose the terms of a sum, all may be one element.
  const bool varies = std::ranges::all_of(
      region.computations, [](const auto& one) { return one.computation.gathers.empty(); });
  const bool has_random_signs = !has_own && varies;
  data->inputs = has_own ? *own : make_inputs(region, kind, seed);
  const NamedArrays& inputs = data->inputs;
  if (kind == DataKind::small_integers) {
    data->expected[region.outputs.front()] = exact_reference(*region.op, operands_of(inputs));
    return data;
  }
  data->expected = expected_outputs(region, inputs, {.has_random_signs = has_random_signs});
  NamedArrays made;
  for (const auto& [name, values] : data->expected) made[name] = values_of(values);
  data->numbers = region_numbers(region, inputs, made);
  return data;
}

namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 30;
constexpr uint64_t kMemoryShare = 8;

template <typename Number>
uint64_t bytes_in(const std::vector<Number>& values) {
  return values.size() * sizeof(Number);
}

uint64_t bytes_in(const NDArray& values) { return values.bytes().size(); }

uint64_t bytes_in(const Reference& reference) {
  return bytes_in(reference.values) + bytes_in(reference.scale) +
         bytes_in(reference.epilogue_scale) + bytes_in(reference.errors) +
         bytes_in(reference.wide_errors) + bytes_in(reference.wide_sums);
}

}  // namespace

uint64_t bytes_of(const CheckData& data) {
  uint64_t bytes = 0;
  for (const auto& [tensor, values] : data.inputs) bytes += bytes_in(values);
  for (const auto& [tensor, expected] : data.expected)
    bytes += std::visit([](const auto& values) { return bytes_in(values); }, expected);
  return bytes;
}

uint64_t CheckDataCache::default_bytes() {
  const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const uint64_t memory_bytes = pages * static_cast<uint64_t>(::sysconf(_SC_PAGE_SIZE));
  return std::min(kMostBytes, memory_bytes / kMemoryShare);
}

std::shared_ptr<const CheckData> CheckDataCache::get(const Region& region, DataKind kind,
                                                     uint64_t seed, const NamedArrays* own) {
  const std::lock_guard lock(mutex_);
  const Key key{print(region), data_kind_of(region, kind), seed};
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found != entries_.end()) {
    entries_.splice(entries_.end(), entries_, found);
    return entries_.back().data;
  }
  entries_.push_back({key, CheckData::make(region, kind, seed, own)});
  bytes_ += bytes_of(*entries_.back().data);
  while (bytes_ > most_bytes_ && entries_.size() > 1) {
    bytes_ -= bytes_of(*entries_.front().data);
    entries_.pop_front();
  }
  return entries_.back().data;
}

uint64_t CheckDataCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace dovetail
