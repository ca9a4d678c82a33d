// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/work.h"

#include <algorithm>
#include <set>

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

// The axes that an index depends on, directly or through gather indices.
std::set<std::string> axes_behind(const IndexExpr& index, const Computation& c) {
  std::set<std::string> axes;
  for (const std::string& name : index.variables()) {
    const auto chosen = std::ranges::find(c.gathers, name, &GatherIndex::name);
    if (chosen == c.gathers.end()) {
      axes.insert(name);
      continue;
    }
    for_each_index(chosen->value, c.reads,
                   [&](const IndexExpr& inner) { axes.merge(axes_behind(inner, c)); });
  }
  return axes;
}

// At most one element per iteration of the axes that the indices depend on.
int64_t touched_by(const Access& access, const Computation& c) {
  std::set<std::string> axes;
  for (const IndexExpr& index : access.indices) axes.merge(axes_behind(index, c));
  int64_t elements = 1;
  for (const Axis& axis : c.axes)
    if (axes.contains(axis.name)) elements *= axis.extent;
  return elements;
}

int64_t touched_elements(const Computation& c, const Tensor& tensor) {
  const int64_t all = num_elements(shape_of(tensor));
  if (c.output.tensor == tensor.name) return all;
  int64_t touched = 0;
  for (const Access& access : c.reads)
    if (access.tensor == tensor.name)
      touched = std::min(all, touched + std::min(all, touched_by(access, c)));
  return touched;
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
  for (const Tensor& tensor : tensors_of(region)) {
    if (is_inner(region, tensor.name)) continue;
    int64_t touched = 0;
    for (const NamedComputation& named : region.computations)
      touched = std::max(touched, touched_elements(named.computation, tensor));
    bytes += touched * bytes_of(tensor.type);
  }
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
