// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/check_data.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dovetail {
namespace {

RegionInputs by_tensor(Operands operands) {
  RegionInputs inputs;
  for (const auto& [name, member] : kOperands) {
    if (!(operands.*member).empty()) inputs[name] = std::move(operands.*member);
  }
  return inputs;
}

// A bound of each element's own; errors are told relative to the largest element.
Reference bounded(BoundedTensor tensor) {
  double largest = 0;
  for (const double value : tensor.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return {.values = std::move(tensor.values),
          .scale = {largest},
          .epilogue_scale = {},
          .errors = std::move(tensor.errors)};
}

}  // namespace

Operands operands_of(RegionInputs inputs) {
  Operands operands;
  for (const auto& [name, member] : kOperands) {
    const auto found = inputs.find(name);
    if (found != inputs.end()) operands.*member = std::move(found->second);
  }
  return operands;
}

RegionInputs make_inputs(const Region& region, DataKind kind, uint64_t seed) {
  return region.op ? by_tensor(make_operands(*region.op, kind, seed))
                   : make_region_inputs(region, seed);
}

ExpectedOutputs expected_outputs(const Region& region, const RegionInputs& inputs) {
  ExpectedOutputs expected;
  if (region.op) {
    expected[region.outputs.front()] = compute_reference(*region.op, operands_of(inputs));
    return expected;
  }
  RegionValues values = evaluate_region(region, inputs);
  for (const std::string& name : region.outputs)
    expected[name] = bounded(std::move(values.find(name)->second));
  return expected;
}

DataKind data_kind_of(const Region& region, DataKind wanted) {
  return region.op && is_exact_on_integers(*region.op) ? wanted : DataKind::real;
}

std::shared_ptr<const CheckData> CheckData::make(const Region& region, DataKind kind,
                                                 uint64_t seed) {
  kind = data_kind_of(region, kind);
  auto data = std::make_shared<CheckData>();
  data->region = region;
  data->inputs = make_inputs(region, kind, seed);
  if (kind == DataKind::small_integers) {
    data->expected[region.outputs.front()] = exact_reference(*region.op, operands_of(data->inputs));
  } else {
    data->expected = expected_outputs(region, data->inputs);
  }
  return data;
}

}  // namespace dovetail
