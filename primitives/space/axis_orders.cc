// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/axis_orders.h"

#include <algorithm>

namespace dovetail {

std::vector<std::string> movable_axes(const Structure& s) {
  std::vector<std::string> axes = s.outer;
  std::erase_if(axes, [&](const std::string& axis) {
    return std::ranges::find(s.outermost, axis) != s.outermost.end();
  });
  return axes;
}

std::vector<std::string> permuted(const std::vector<std::string>& axes, const std::string& first,
                                  int64_t index) {
  std::vector<std::string> order = axes;
  std::stable_partition(order.begin(), order.end(),
                        [&](const std::string& axis) { return axis == first; });
  std::vector<size_t> positions(order.size());
  for (size_t k = 0; k < positions.size(); ++k) positions[k] = k;
  for (int64_t k = 0; k < index; ++k) std::next_permutation(positions.begin(), positions.end());
  std::vector<std::string> result;
  for (size_t position : positions) result.push_back(order[position]);
  return result;
}

int64_t order_led_by(const std::string& front, const std::vector<std::string>& axes,
                     const std::string& first) {
  const std::vector<std::string> order = permuted(axes, first, 0);
  const auto position = std::ranges::find(order, front) - order.begin();
  int64_t orders_of_the_rest = 1;
  for (size_t n = 2; n < order.size(); ++n) orders_of_the_rest *= static_cast<int64_t>(n);
  return position * orders_of_the_rest;
}

}  // namespace dovetail
