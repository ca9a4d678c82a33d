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

// The first form that matches: reductions come before poolings, which may match them, too.
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
    if (region.op->tail) return fail("an operator with a tail, which no library has under a name");
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
  constexpr std::array kNames = {"operator",   "pooling",    "reduction",         "softmax",
                                 "layer norm", "batch norm", "elementwise chain", "permutation"};
  static_assert(kNames.size() == std::variant_size_v<KnownRegion>);
  return kNames[known.index()];
}

std::optional<GlobalPooling> global_pooling(const Reduction& reduction) {
  constexpr size_t kMostAxes = 3;
  const auto extent = [&](size_t from, size_t to) {
    return std::accumulate(reduction.shape.begin() + static_cast<std::ptrdiff_t>(from),
                           reduction.shape.begin() + static_cast<std::ptrdiff_t>(to), int64_t{1},
                           std::multiplies<>());
  };
  const size_t begin = static_cast<size_t>(reduction.axes.front()), rank = reduction.shape.size();
  const size_t end = begin + reduction.axes.size();
  const bool pools =
      reduction.kind == Reduction::Kind::mean || reduction.kind == Reduction::Kind::max;
  const bool are_neighbours = static_cast<size_t>(reduction.axes.back()) + 1 == end;
  const bool is_last = end == rank;
  if (!pools || !are_neighbours || end - begin > kMostAxes || (is_last && begin == 0))
    return std::nullopt;
  Pooling pooling{
      .kind = reduction.kind == Reduction::Kind::mean ? Pooling::Kind::average : Pooling::Kind::max,
      .input = reduction.input,
      .n = extent(0, is_last ? begin - 1 : begin),
      .c = is_last ? reduction.shape[begin - 1] : extent(end, rank),
      .axes = {}};
  for (size_t i = begin; i < end; ++i)
    pooling.axes.push_back({.extent = reduction.shape[i], .window = reduction.shape[i]});
  return GlobalPooling{std::move(pooling), !is_last};
}

}  // namespace dovetail
