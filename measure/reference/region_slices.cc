// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/region_slices.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace dovetail {
namespace {

// A tensor is cut along the axis, or lacks it.
enum class Extent { whole, cut };

class SliceAxis {
 public:
  // Nothing if the region cannot be sliced.
  static std::optional<SliceAxis> of(const Region& region) {
    SliceAxis axis;
    for (const NamedComputation& named : region.computations)
      if (!axis.add(named.computation)) return {};
    return axis;
  }

  int64_t extent() const { return extent_; }
  bool cuts(const std::string& tensor) const { return lies_.at(tensor) == Extent::cut; }
  // Position of the axis among a computation's axes and a tensor's dimensions.
  static std::optional<size_t> position(const std::vector<int64_t>& shape) {
    const auto longer = std::ranges::find_if(shape, [](int64_t extent) { return extent > 1; });
    if (longer == shape.end()) return {};
    return static_cast<size_t>(longer - shape.begin());
  }

 private:
  bool add(const Computation& c) {
    const Tensor& made = tensor_named(c, c.output.tensor);
    const std::optional<size_t> at = position(shape_of(made));
    if (!at || (extent_ != 0 && made.dims[*at].extent != extent_)) return false;
    extent_ = made.dims[*at].extent;
    const std::string& name = c.axes[*at].name;
    if (decides(c, name)) return false;
    return lie(made.name, Extent::cut) && std::ranges::all_of(c.reads, [&](const Access& read) {
             if (find_table(c, read.tensor) != nullptr) return !mentions(read, name);
             if (!mentions(read, name)) return lie(read.tensor, Extent::whole);
             return has_first(read, tensor_named(c, read.tensor), name) &&
                    lie(read.tensor, Extent::cut);
           });
  }

  static bool mentions(const Access& read, const std::string& axis) {
    return std::ranges::any_of(read.indices,
                               [&](const IndexExpr& e) { return e.mentions(axis); }) ||
           std::ranges::any_of(read.conditions,
                               [&](const Bound& bound) { return bound.expr.mentions(axis); });
  }

  // X[0, axis, others]: one step along the axis covers consecutive elements.
  bool has_first(const Access& read, const Tensor& tensor, const std::string& axis) const {
    const std::optional<size_t> at = position(shape_of(tensor));
    if (!at || tensor.dims[*at].extent != extent_ ||
        !(read.indices[*at] == IndexExpr::variable(axis)))
      return false;
    Access others = read;
    others.indices[*at] = 0;
    return !mentions(others, axis);
  }

  // True if a value depends on the position along the axis, which a slice does not know.
  static bool decides(const Computation& c, const std::string& axis) {
    bool found = false;
    const auto note = [&](const IndexExpr& e) { found = found || e.mentions(axis); };
    const std::vector<Access> no_reads(c.reads.size());
    for_each_index(c.element, no_reads, note);
    for_each_index(c.result, no_reads, note);
    for (const GatherIndex& index : c.gathers) for_each_index(index.value, no_reads, note);
    return found;
  }

  // False if another computation uses the tensor in the other way.
  bool lie(const std::string& tensor, Extent how) {
    return lies_.try_emplace(tensor, how).first->second == how;
  }

  int64_t extent_ = 0;
  std::map<std::string, Extent> lies_;
};

// The operator with this extent of the axis that its computation calls `axis`; nothing for a
// written sum, whose tensors have their own shapes.
std::optional<Operator> with_extent(Operator op, const std::string& axis, int64_t extent) {
  if (op.sum) return {};
  if (axis == "m" && is_matrix_product(op.kind)) {
    op.m = extent;
  } else if (axis == "n" && is_matrix_product(op.kind)) {
    op.n = extent;
  } else if (axis == "n" || axis == "b") {
    op.batch = extent;
  } else if (axis == "g" || axis == "c") {
    op.in_channels = op.in_channels / op.groups * extent;
    op.out_channels = op.out_channels / op.groups * extent;
    op.groups = extent;
  } else if (axis == "o" && op.groups == 1) {
    op.out_channels = extent;
  } else {
    return {};
  }
  return op;
}

std::optional<Region> with_extent(const Region& region, const SliceAxis& axis, int64_t extent) {
  if (region.op) {
    const Computation& c = region.computations.front().computation;
    const size_t at = *SliceAxis::position(shape_of(tensor_named(c, c.output.tensor)));
    const auto op = with_extent(*region.op, c.axes[at].name, extent);
    return op ? std::optional(region_of(*op)) : std::nullopt;
  }
  Region part = region;
  for (NamedComputation& named : part.computations) {
    Computation& c = named.computation;
    c.axes[*SliceAxis::position(shape_of(tensor_named(c, c.output.tensor)))].extent = extent;
    for (Tensor& tensor : c.tensors)
      if (axis.cuts(tensor.name))
        tensor.dims[*SliceAxis::position(shape_of(tensor))].extent = extent;
  }
  return part;
}

int64_t elements_of(const Tensor& tensor) { return num_elements(shape_of(tensor)); }

int64_t elements_made(const Region& region) {
  int64_t elements = 0;
  for (const NamedComputation& named : region.computations)
    elements += elements_of(tensor_named(named.computation, named.computation.output.tensor));
  return elements;
}

// Slices of a slice: if both cut a tensor, the inner range is relative to the outer one.
std::vector<RegionSlice> sliced(const RegionSlice& outer, int64_t most_elements) {
  std::vector<RegionSlice> slices = slices_of(outer.region, most_elements);
  for (RegionSlice& inner : slices) {
    for (const auto& [tensor, range] : outer.elements) {
      const auto [found, is_whole] = inner.elements.try_emplace(tensor, range);
      if (!is_whole) found->second.first += range.first;
    }
  }
  return slices;
}

}  // namespace

NamedArrays RegionSlice::of(const NamedArrays& tensors) const {
  NamedArrays own = tensors;
  for (const auto& [name, range] : elements)
    if (const auto found = own.find(name); found != own.end())
      found->second =
          found->second.reshaped({std::ssize(found->second)})
              .slice(0, static_cast<int64_t>(range.first), static_cast<int64_t>(range.count));
  return own;
}

std::vector<RegionSlice> slices_of(const Region& region, int64_t most_elements) {
  const int64_t made = elements_made(region);
  const std::optional<SliceAxis> axis =
      made > most_elements ? SliceAxis::of(region) : std::optional<SliceAxis>();
  if (!axis) return {{.region = region, .elements = {}}};
  const int64_t step = std::max<int64_t>(1, most_elements / (made / axis->extent()));
  std::vector<RegionSlice> slices;
  for (int64_t first = 0; first < axis->extent(); first += step) {
    const int64_t extent = std::min(step, axis->extent() - first);
    std::optional<Region> part = with_extent(region, *axis, extent);
    if (!part) return {{.region = region, .elements = {}}};
    RegionSlice slice{.region = *std::move(part), .elements = {}};
    for (const Tensor& tensor : tensors_of(region)) {
      if (!axis->cuts(tensor.name)) continue;
      const auto row = static_cast<size_t>(elements_of(tensor) / axis->extent());
      slice.elements[tensor.name] = {row * static_cast<size_t>(first),
                                     row * static_cast<size_t>(extent)};
    }
    std::ranges::move(sliced(slice, most_elements), std::back_inserter(slices));
  }
  return slices;
}

}  // namespace dovetail
