// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/onednn/layouts.h"

#include <numeric>

namespace dovetail::onednn {
namespace {

constexpr auto kF32 = dnnl::memory::data_type::f32;

}  // namespace

Desc strided(const Dims& dims, std::vector<int> order) {
  if (order.empty()) {
    order.resize(dims.size());
    std::iota(order.begin(), order.end(), 0);
  }
  Dims strides(dims.size());
  int64_t step = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    strides[static_cast<size_t>(*axis)] = step;
    step *= dims[static_cast<size_t>(*axis)];
  }
  return {dims, kF32, strides};
}

Desc any(const Dims& dims) { return {dims, kF32, dnnl::memory::format_tag::any}; }

Desc channels_last(const Dims& dims) {
  std::vector<int> order = {0};
  for (size_t axis = 2; axis < dims.size(); ++axis) order.push_back(static_cast<int>(axis));
  order.push_back(1);
  return strided(dims, order);
}

Desc blocked(const Dims& dims, int64_t block) {
  using Tag = dnnl::memory::format_tag;
  constexpr Tag kBy8[] = {Tag::aBc8b, Tag::aBcd8b, Tag::aBcde8b};
  constexpr Tag kBy16[] = {Tag::aBc16b, Tag::aBcd16b, Tag::aBcde16b};
  return {dims, kF32, (block == 8 ? kBy8 : kBy16)[dims.size() - 3]};
}

}  // namespace dovetail::onednn
