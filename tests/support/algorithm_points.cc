// SPDX-License-Identifier: Apache-2.0
#include "tests/support/algorithm_points.h"

#include <algorithm>

#include "core/base/check.h"

namespace dovetail::testing {

Point default_point_of(const Space& space, std::string_view algorithm) {
  const std::vector<std::string>& labels = space.parameters().front().labels;
  const auto label = std::ranges::find(labels, algorithm);
  CHECK(label != labels.end(), "the space has the algorithm");
  Point point{label - labels.begin()};
  while (point.size() < space.parameters().size()) {
    const std::vector<int64_t> domain = space.parameters()[point.size()].domain(point);
    const int64_t wanted = space.default_point()[point.size()];
    point.push_back(std::ranges::count(domain, wanted) > 0 ? wanted : domain.front());
  }
  return point;
}

}  // namespace dovetail::testing
