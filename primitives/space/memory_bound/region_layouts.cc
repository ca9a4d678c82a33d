// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/region_layouts.h"

#include <algorithm>
#include <numeric>

#include "core/base/check.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/space/memory_bound/plan.h"

namespace dovetail::memory_bound {
namespace {

bool divides(const IndexExpr& index, const std::string& axis) {
  return std::ranges::any_of(index.terms(), [&](const IndexTerm& term) {
    return term.atom.inner && term.atom.inner->mentions(axis);
  });
}

}  // namespace

RegionLayouts::RegionLayouts(const Region& region, const AxisRuns& runs, const std::string& blocked,
                             int64_t lanes)
    : region_(region), runs_(runs), lanes_(lanes) {
  for (const Tensor& tensor : tensors_of(region)) {
    if (tensor.name != region.outputs.at(0)) continue;
    for (size_t d = 0; d < tensor.dims.size(); ++d)
      if (!blocked.empty() && tensor.dims[d].name == blocked)
        blocked_run_ = runs.of_dim(tensor.name, d);
  }
  for (const Tensor& tensor : tensors_of(region)) {
    Stored stored{.tensor = tensor, .order = {}, .axes = {}, .primitives = {}};
    order_dims(stored);
    fuse_runs(stored);
    block(stored);
    tensors_.push_back(std::move(stored));
  }
}

const RegionLayouts::Stored& RegionLayouts::of(const std::string& tensor) const {
  const auto stored = std::ranges::find_if(
      tensors_, [&](const Stored& candidate) { return candidate.tensor.name == tensor; });
  CHECK(stored != tensors_.end(), "the region has tensor " + tensor);
  return *stored;
}

const std::vector<StoredAxis>& RegionLayouts::axes(const std::string& tensor) const {
  return of(tensor).axes;
}

TensorLayout RegionLayouts::lines(const std::string& tensor) const {
  return {.tensor = tensor, .primitives = of(tensor).primitives};
}

bool RegionLayouts::is_blocked(const std::string& tensor, size_t dim) const {
  return blocked_run_ != AxisRuns::kNone && runs_.of_dim(tensor, dim) == blocked_run_;
}

// Inner tensors have the dimensions of the region's output in the output's order, the others
// innermost. Dimensions of extent 1 come first, so that they do not interrupt a run.
void RegionLayouts::order_dims(Stored& stored) const {
  const Tensor& tensor = stored.tensor;
  stored.order.resize(tensor.dims.size());
  std::iota(stored.order.begin(), stored.order.end(), size_t{0});
  const auto is_unit = [&](size_t d) { return tensor.dims[d].extent == 1; };
  if (is_inner(region_, tensor.name)) {
    const std::string& output = region_.outputs.back();
    const std::vector<Tensor> all = tensors_of(region_);
    const auto of_output = std::ranges::find(all, output, &Tensor::name);
    const auto rank = [&](size_t d) {
      if (is_unit(d)) return -1;
      for (size_t k = 0; k < of_output->dims.size(); ++k)
        if (runs_.class_of_dim(output, k) == runs_.class_of_dim(tensor.name, d))
          return static_cast<int>(k);
      return static_cast<int>(of_output->dims.size());
    };
    std::ranges::stable_sort(stored.order, {}, rank);
  } else if (std::ranges::any_of(stored.order, is_unit)) {
    std::ranges::stable_partition(stored.order, is_unit);
  }
  if (std::ranges::is_sorted(stored.order)) return;
  layout::Reorder reorder;
  for (const size_t d : stored.order) reorder.axes.push_back(tensor.dims[d].name);
  stored.primitives.emplace_back(std::move(reorder));
}

void RegionLayouts::fuse_runs(Stored& stored) const {
  for (const size_t d : stored.order) {
    const LogicalDim& dim = stored.tensor.dims[d];
    const int run = runs_.of_dim(stored.tensor.name, d);
    StoredAxis* last = stored.axes.empty() ? nullptr : &stored.axes.back();
    // Two dimensions of one class form no run: Y[i,j] = A[i,j] - A[j,i].
    const bool joins = last != nullptr && last->extent > 1 && run != AxisRuns::kNone &&
                       runs_.of_dim(stored.tensor.name, last->dims.back()) == run &&
                       runs_.class_of_dim(stored.tensor.name, last->dims.back()) !=
                           runs_.class_of_dim(stored.tensor.name, d);
    if (!joins) {
      stored.axes.push_back({dim.name, {d}, dim.extent});
      continue;
    }
    stored.primitives.emplace_back(layout::Fuse{last->name, dim.name});
    last->name = fused_name(last->name, dim.name);
    last->dims.push_back(d);
    last->extent *= dim.extent;
  }
}

void RegionLayouts::block(Stored& stored) const {
  const auto axis = std::ranges::find_if(stored.axes, [&](const StoredAxis& a) {
    return a.dims.size() == 1 && is_blocked(stored.tensor.name, a.dims[0]);
  });
  if (axis == stored.axes.end() || axis->extent % lanes_ != 0 || axis->extent == lanes_) return;
  stored.primitives.emplace_back(layout::Split{axis->name, lanes_});
  StoredAxis inner = *axis;
  axis->name += ".0";
  axis->extent /= lanes_;
  inner.name += ".1";
  inner.extent = lanes_;
  axis->part = AxisPart::blocks;
  inner.part = AxisPart::block;
  stored.axes.push_back(std::move(inner));
  layout::Reorder reorder;
  for (const StoredAxis& a : stored.axes) reorder.axes.push_back(a.name);
  stored.primitives.emplace_back(std::move(reorder));
}

std::optional<int64_t> RegionLayouts::stride(const Access& access, const StageAxis& axis) const {
  const Stored& stored = of(access.tensor);
  const std::string& innermost = axis.axes.back();
  int64_t total = 0, below = 1;
  for (size_t a = stored.axes.size(); a-- > 0;) {
    const StoredAxis& place = stored.axes[a];
    int64_t finer = 1;
    for (size_t k = place.dims.size(); k-- > 0;) {
      const IndexExpr& index = access.indices[place.dims[k]];
      if (divides(index, innermost)) return std::nullopt;
      const int64_t steps = index.coefficient(innermost);
      if (place.part == AxisPart::whole || place.part == axis.part) total += steps * finer * below;
      finer *= stored.tensor.dims[place.dims[k]].extent;
    }
    below *= place.extent;
  }
  return total;
}

}  // namespace dovetail::memory_bound
