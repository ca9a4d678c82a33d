// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/unfused.h"

#include <algorithm>

#include "primitives/space/choices.h"

namespace dovetail {

Space unfused(const Space& space) {
  std::vector<Parameter> parameters = space.parameters();
  Point default_point;
  for (size_t k = 0; k < parameters.size(); ++k) {
    Parameter& parameter = parameters[k];
    if (parameter.kind == ParameterKind::made_at) {
      parameter.domain = [own = std::move(parameter.domain)](const Point& earlier) {
        std::vector<int64_t> values = own(earlier);
        if (std::ranges::count(values, kApart) > 0) values = {kApart};
        return values;
      };
    }
    // What the default chooses may be possible only in a fused form.
    const std::vector<int64_t> domain = parameter.domain(default_point);
    const int64_t wanted = space.default_point()[k];
    default_point.push_back(std::ranges::count(domain, wanted) > 0 ? wanted : domain.front());
  }
  return Space(
      space.spec(), space.target(), std::move(parameters),
      [space](const Point& point) { return space.decode(point); }, std::move(default_point));
}

}  // namespace dovetail
