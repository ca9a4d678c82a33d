// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/enumerate.h"

namespace dovetail {
namespace {

void visit_from(const Space& space, Point& point, const std::function<void(const Point&)>& visit) {
  if (point.size() == space.parameters().size()) {
    visit(point);
    return;
  }
  for (const int64_t value : space.parameters()[point.size()].domain(point)) {
    point.push_back(value);
    visit_from(space, point, visit);
    point.pop_back();
  }
}

}  // namespace

void for_each_point(const Space& space, const std::function<void(const Point&)>& visit) {
  Point point;
  visit_from(space, point, visit);
}

}  // namespace dovetail
