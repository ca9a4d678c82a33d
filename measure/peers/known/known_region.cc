// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/known/known_region.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "core/base/fail.h"
#include "measure/peers/known/forms.h"

namespace dovetail {
namespace {

bool is_real(const Region& region) {
  return std::ranges::all_of(tensors_of(region),
                             [](const Tensor& tensor) { return tensor.type == ElementType::f32; });
}

// The first that the region is: a reduction is asked for before a pooling, which it may be too.
template <typename... Forms>
std::optional<KnownRegion> first_of(const Region& region, const Forms&... forms) {
  std::optional<KnownRegion> found;
  const auto ask = [&](const auto& form) {
    if (found) return;
    if (auto known = form(region)) found = *std::move(known);
  };
  (ask(forms), ...);
  return found;
}

}  // namespace

Result<KnownRegion> known_region(const Region& region) {
  if (!is_real(region)) return fail("only f32 is compared");
  if (region.op) {
    if (region.op->sum) return fail("a sum of one's own, which no library has under a name");
    return KnownRegion(*region.op);
  }
  std::optional<KnownRegion> found;
  if (region.outputs.size() == 1)
    found = first_of(region, known::permutation, known::reduction, known::pooling,
                     known::batch_norm, known::elementwise, known::softmax, known::layer_norm);
  if (found) return *std::move(found);
  return fail("a region that no library has under a name");
}

std::string name_of(const KnownRegion& known) {
  constexpr std::array kNames = {"operator",   "pooling",    "reduction",   "softmax",
                                 "layer norm", "batch norm", "elementwise", "permutation"};
  static_assert(kNames.size() == std::variant_size_v<KnownRegion>);
  return kNames[known.index()];
}

bool is_global_pooling(const Reduction& reduction) {
  const bool pools =
      reduction.kind == Reduction::Kind::mean || reduction.kind == Reduction::Kind::max;
  const auto kept = static_cast<int64_t>(reduction.shape.size() - reduction.axes.size());
  return pools && reduction.axes.size() >= 2 && kept >= 1 && reduction.axes.front() == kept;
}

Pooling global_pooling(const Reduction& reduction) {
  const size_t kept = reduction.shape.size() - reduction.axes.size();
  const auto outer = reduction.shape.begin() + static_cast<std::ptrdiff_t>(kept);
  Pooling pooling{
      .kind = reduction.kind == Reduction::Kind::mean ? Pooling::Kind::average : Pooling::Kind::max,
      .input = reduction.input,
      .n = std::accumulate(reduction.shape.begin(), outer - 1, int64_t{1}, std::multiplies<>()),
      .c = *(outer - 1),
      .axes = {}};
  for (auto extent = outer; extent != reduction.shape.end(); ++extent)
    pooling.axes.push_back({.extent = *extent, .window = *extent});
  return pooling;
}

}  // namespace dovetail
