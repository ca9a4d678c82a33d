// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/axis_runs.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/ir/value/walk.h"

namespace dovetail::memory_bound {
namespace {

const Tensor& of_name(const std::vector<Tensor>& tensors, const std::string& name) {
  const auto tensor = std::ranges::find(tensors, name, &Tensor::name);
  CHECK(tensor != tensors.end(), "the region has tensor " + name);
  return *tensor;
}

size_t position_of(const Computation& c, const std::string& axis) {
  const auto found = std::ranges::find(c.axes, axis, &Axis::name);
  return static_cast<size_t>(found - c.axes.begin());
}

// Indices used in values: as numbers, and in the bounds of selects.
std::vector<IndexExpr> indices_in_values(const Computation& c) {
  std::vector<IndexExpr> found;
  const auto visit = [&](const Value& value) {
    for_each_node(value, [&](const Value& node) {
      if (const auto* index = node.as<IndexValue>()) found.push_back(index->index);
      if (const auto* s = node.as<Select>())
        for (const Bound& bound : s->bounds) found.push_back(bound.expr);
    });
  };
  visit(c.element);
  visit(c.result);
  for (const GatherIndex& chosen : c.gathers) visit(chosen.value);
  return found;
}

}  // namespace

AxisRuns::AxisRuns(const Region& region, const std::string& apart)
    : region_(region), tensors_(tensors_of(region)) {
  number_places();
  for (const NamedComputation& named : region.computations) read_accesses(named);
  const std::string& output = region.outputs.at(0);
  const std::vector<LogicalDim>& dims = of_name(tensors_, output).dims;
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d].name == apart) stand_alone({true, output, d});
  chain_classes();
}

int AxisRuns::of_dim(const std::string& tensor, size_t dim) const {
  const int cls = class_of_dim(tensor, dim);
  return cls == kNone ? kNone : run_of_.at(cls);
}

int AxisRuns::class_of_dim(const std::string& tensor, size_t dim) const {
  const Place place{true, tensor, dim};
  return numbers_.contains(place) ? class_of(number_of(place)) : kNone;
}

int AxisRuns::of_axis(const std::string& computation, const std::string& axis) const {
  const int cls = class_of_axis(computation, axis);
  return cls == kNone ? kNone : run_of_.at(cls);
}

int AxisRuns::class_of_axis(const std::string& computation, const std::string& axis) const {
  const auto named = std::ranges::find(region_.computations, computation, &NamedComputation::name);
  const Place place{false, computation, position_of(named->computation, axis)};
  return numbers_.contains(place) ? class_of(number_of(place)) : kNone;
}

int AxisRuns::number_of(const Place& place) const { return numbers_.at(place); }

int AxisRuns::class_of(int number) const {
  while (parent_[static_cast<size_t>(number)] != number)
    number = parent_[static_cast<size_t>(number)];
  return number;
}

void AxisRuns::number_places() {
  const auto add = [&](Place place, int64_t extent) {
    if (extent == 1) return;
    parent_.push_back(static_cast<int>(places_.size()));
    alone_.push_back(false);
    numbers_.emplace(place, static_cast<int>(places_.size()));
    places_.push_back(std::move(place));
  };
  for (const Tensor& tensor : tensors_)
    for (size_t d = 0; d < tensor.dims.size(); ++d)
      add({true, tensor.name, d}, tensor.dims[d].extent);
  for (const NamedComputation& named : region_.computations)
    for (size_t a = 0; a < named.computation.axes.size(); ++a)
      add({false, named.name, a}, named.computation.axes[a].extent);
}

void AxisRuns::join(const Place& a, const Place& b) {
  const int first = class_of(number_of(a)), second = class_of(number_of(b));
  if (first == second) return;
  parent_[static_cast<size_t>(second)] = first;
  if (alone_[static_cast<size_t>(second)]) alone_[static_cast<size_t>(first)] = true;
}

void AxisRuns::stand_alone(const Place& place) {
  if (numbers_.contains(place)) alone_[static_cast<size_t>(class_of(number_of(place)))] = true;
}

void AxisRuns::read_accesses(const NamedComputation& named) {
  const Computation& c = named.computation;
  read_access(named, c.output);
  for (const Access& access : c.reads) read_access(named, access);
  for (const IndexExpr& index : indices_in_values(c))
    for (const std::string& axis : index.variables())
      stand_alone({false, named.name, position_of(c, axis)});
}

void AxisRuns::read_access(const NamedComputation& named, const Access& access) {
  const Computation& c = named.computation;
  const Tensor& tensor = of_name(tensors_, access.tensor);
  for (size_t d = 0; d < access.indices.size(); ++d) {
    const IndexExpr& index = access.indices[d];
    const Place dim{true, access.tensor, d};
    const std::vector<std::string> axes = index.variables();
    const size_t at = axes.size() == 1 ? position_of(c, axes[0]) : c.axes.size();
    const bool is_plain = at < c.axes.size() && index == IndexExpr::variable(axes[0]) &&
                          c.axes[at].extent == tensor.dims[d].extent;
    if (is_plain && c.axes[at].extent > 1) {
      join(dim, {false, named.name, at});
    } else if (!is_plain) {
      stand_alone(dim);
      for (const std::string& axis : axes) stand_alone({false, named.name, position_of(c, axis)});
    }
  }
  for (const Bound& condition : access.conditions)
    for (const std::string& axis : condition.expr.variables())
      stand_alone({false, named.name, position_of(c, axis)});
}

std::vector<AxisRuns::Place> AxisRuns::of_class(int cls, bool dims) const {
  std::vector<Place> found;
  for (size_t k = 0; k < places_.size(); ++k)
    if (places_[k].is_dim == dims && class_of(static_cast<int>(k)) == cls)
      found.push_back(places_[k]);
  return found;
}

bool AxisRuns::is_reduced(const Place& axis) const {
  const auto named = std::ranges::find(region_.computations, axis.owner, &NamedComputation::name);
  return named->computation.axes[axis.position].reduction;
}

// Whether only dimensions of extent 1 are between the two.
bool AxisRuns::is_followed(const Place& first, const Place& second) const {
  if (first.position >= second.position) return false;
  const Tensor& tensor = of_name(tensors_, first.owner);
  for (size_t d = first.position + 1; d < second.position; ++d)
    if (tensor.dims[d].extent > 1) return false;
  return true;
}

bool AxisRuns::are_together(int first, int second) const {
  for (const bool dims : {true, false}) {
    const std::vector<Place> a = of_class(first, dims), b = of_class(second, dims);
    if (a.size() != b.size()) return false;
    for (size_t k = 0; k < a.size(); ++k) {
      const bool repeats = k > 0 && a[k - 1].owner == a[k].owner;
      if (repeats || a[k].owner != b[k].owner) return false;
      if (dims && !is_inner(region_, a[k].owner) && !is_followed(a[k], b[k])) return false;
      if (!dims && is_reduced(a[k]) != is_reduced(b[k])) return false;
    }
  }
  return true;
}

void AxisRuns::chain_classes() {
  for (size_t k = 0; k < places_.size(); ++k)
    run_of_.emplace(class_of(static_cast<int>(k)), class_of(static_cast<int>(k)));
  for (const Tensor& tensor : tensors_) {
    if (is_inner(region_, tensor.name)) continue;
    int before = kNone;
    for (size_t d = 0; d < tensor.dims.size(); ++d) {
      if (tensor.dims[d].extent == 1) continue;
      const int cls = class_of(number_of({true, tensor.name, d}));
      const bool may = before != kNone && before != cls && !alone_[static_cast<size_t>(before)] &&
                       !alone_[static_cast<size_t>(cls)] && run_of_.at(cls) == cls;
      if (may && are_together(before, cls)) {
        const int merged = run_of_.at(before), own = run_of_.at(cls);
        for (auto& [_, run] : run_of_)
          if (run == own) run = merged;
      }
      before = cls;
    }
  }
}

}  // namespace dovetail::memory_bound
