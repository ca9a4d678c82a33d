// SPDX-License-Identifier: Apache-2.0
#include "primitives/propagation/axis_cuts.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {
namespace {

const Axis* find_axis_named(const Computation& computation, const std::string& name) {
  const auto found = std::ranges::find(computation.axes, name, &Axis::name);
  return found == computation.axes.end() ? nullptr : &*found;
}

// Merges `from` into `into`; returns whether it grew.
bool take(std::set<int64_t>& into, const std::set<int64_t>& from) {
  const size_t before = into.size();
  into.insert(from.begin(), from.end());
  return into.size() > before;
}

Result<void> check_chain(const std::set<int64_t>& cuts, int64_t extent, const std::string& what) {
  int64_t finer = 1;
  for (const int64_t cut : cuts) {
    if (cut % finer != 0) return fail("{} would be cut at {} and at {}", what, finer, cut);
    finer = cut;
  }
  if (extent % finer != 0)
    return fail("{} of extent {} would be cut at {}, which does not divide it", what, extent,
                finer);
  return {};
}

std::vector<int64_t> steps(const std::set<int64_t>* cuts) {
  std::vector<int64_t> steps;
  if (cuts != nullptr) steps.assign(cuts->rbegin(), cuts->rend());
  steps.push_back(1);
  return steps;
}

template <typename Table, typename Key>
const std::set<int64_t>* found_in(const Table& table, const Key& key) {
  const auto found = table.find(key);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace

Result<AxisCuts> AxisCuts::derive(const Region& region, const StoredForms& forms) {
  AxisCuts cuts;
  cuts.take_forms(forms);
  while (cuts.spread_once(region)) {
  }
  TRY(cuts.check(region));
  return cuts;
}

std::vector<int64_t> AxisCuts::of_axis(size_t computation, const std::string& axis) const {
  return steps(found_in(axes_, std::pair(computation, axis)));
}

std::vector<int64_t> AxisCuts::of_dim(const std::string& tensor, size_t dim) const {
  return steps(found_in(dims_, std::pair(tensor, dim)));
}

void AxisCuts::take_forms(const StoredForms& forms) {
  for (const auto& [tensor, form] : forms)
    for (const NormalDigit& digit : form.digits)
      if (digit.step > 1) dims_[{tensor, static_cast<size_t>(digit.dim)}].insert(digit.step);
}

bool AxisCuts::spread_once(const Region& region) {
  bool grown = false;
  for (size_t c = 0; c < region.computations.size(); ++c) {
    const Computation& computation = region.computations[c].computation;
    grown |= spread(c, computation, computation.output, true);
    for (const Access& read : computation.reads) grown |= spread(c, computation, read, false);
  }
  return grown;
}

bool AxisCuts::spread(size_t computation, const Computation& c, const Access& access,
                      bool is_output) {
  bool grown = false;
  for (size_t d = 0; d < access.indices.size(); ++d) {
    const auto dim = dims_.find({access.tensor, d});
    // Only an axis by itself, perhaps shifted: the r of a window 2*h + r is no digit of anything.
    const std::vector<IndexTerm>& terms = access.indices[d].terms();
    if (terms.size() != 1 || terms[0].coefficient != 1 ||
        find_axis_named(c, terms[0].atom.variable) == nullptr)
      continue;
    const std::pair axis(computation, terms[0].atom.variable);
    if (dim != dims_.end()) grown |= take(axes_[axis], dim->second);
    const auto cuts = axes_.find(axis);
    if (is_output && cuts != axes_.end() && !cuts->second.empty())
      grown |= take(dims_[{access.tensor, d}], cuts->second);
  }
  return grown;
}

Result<void> AxisCuts::check(const Region& region) const {
  for (const auto& [key, cuts] : axes_) {
    const auto& [c, name] = key;
    const Axis* axis = find_axis_named(region.computations[c].computation, name);
    TRY(check_chain(cuts, axis->extent, "axis " + name));
  }
  for (const Tensor& tensor : tensors_of(region))
    for (size_t d = 0; d < tensor.dims.size(); ++d)
      if (const auto* cuts = found_in(dims_, std::pair(tensor.name, d)))
        TRY(check_chain(*cuts, tensor.dims[d].extent,
                        fmt::format("dimension {} of {}", d, tensor.name)));
  return {};
}

}  // namespace dovetail
