// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/launch_order.h"

#include <algorithm>

namespace dovetail {
namespace {

bool overlap(const std::vector<ByteRange>& some, const std::vector<ByteRange>& others) {
  return std::ranges::any_of(some, [&](const ByteRange& a) {
    return std::ranges::any_of(
        others, [&](const ByteRange& b) { return a.begin < b.end && b.begin < a.end; });
  });
}

bool are_ordered(const LaunchBytes& a, const LaunchBytes& b) {
  return overlap(a.written, b.written) || overlap(a.written, b.read) || overlap(a.read, b.written);
}

}  // namespace

std::vector<std::vector<size_t>> launches_awaited(std::span<const LaunchBytes> launches) {
  std::vector<std::vector<size_t>> awaited(launches.size());
  std::vector<std::vector<bool>> is_done_before(launches.size());  // directly or through others
  for (size_t later = 0; later < launches.size(); ++later) {
    std::vector<bool>& done = is_done_before[later];
    done.assign(launches.size(), false);
    for (size_t earlier = later; earlier-- > 0;) {
      if (done[earlier] || !are_ordered(launches[earlier], launches[later])) continue;
      awaited[later].push_back(earlier);
      done[earlier] = true;
      for (size_t i = 0; i < earlier; ++i) done[i] = done[i] || is_done_before[earlier][i];
    }
  }
  return awaited;
}

}  // namespace dovetail
