// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/work.h"

#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

double operations_in(const Value& value) {
  double count = 0;
  for_each_node(value, [&](const Value& node) {
    if (node.as<Binary>() || node.as<Unary>() || node.as<Choose>()) ++count;
  });
  return count;
}

double flops(const Computation& c) {
  double outputs = 1, reduced = 1;
  for (const Axis& axis : c.axes)
    (axis.reduction ? reduced : outputs) *= static_cast<double>(axis.extent);
  double each = operations_in(c.element);
  if (c.reducer == Reducer::none) return outputs * each;
  return outputs * (reduced * (each + 1) + operations_in(c.result));
}

}  // namespace

double nominal_flops(const Region& region) {
  if (region.op) return nominal_flops(*region.op);
  double total = 0;
  for (const NamedComputation& named : region.computations) total += flops(named.computation);
  return total;
}

double real_tap_flops(const Region& region) {
  return region.op ? real_tap_flops(*region.op) : nominal_flops(region);
}

int64_t operand_bytes(const Region& region) {
  int64_t bytes = 0;
  for (const Tensor& tensor : tensors_of(region))
    if (!is_inner(region, tensor.name))
      bytes += num_elements(shape_of(tensor)) * bytes_of(tensor.type);
  return bytes;
}

int64_t written_bytes(const Region& region) {
  int64_t bytes = 0;
  for (const NamedComputation& named : region.computations) {
    const Tensor& made = tensor_named(named.computation, named.computation.output.tensor);
    if (!is_inner(region, made.name)) bytes += num_elements(shape_of(made)) * bytes_of(made.type);
  }
  return bytes;
}

}  // namespace dovetail
