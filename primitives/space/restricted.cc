// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/restricted.h"

#include <algorithm>
#include <functional>

#include "primitives/space/choices.h"

namespace dovetail {
namespace {

using KeptValues = std::function<std::vector<int64_t>(const std::vector<std::string>& labels,
                                                      std::vector<int64_t> values)>;

// The parameters of one kind have the values that are kept of theirs.
Space restricted(const Space& space, ParameterKind kind, const KeptValues& kept) {
  std::vector<Parameter> parameters = space.parameters();
  Point default_point;
  for (size_t k = 0; k < parameters.size(); ++k) {
    Parameter& parameter = parameters[k];
    if (parameter.kind == kind)
      parameter.domain = [own = std::move(parameter.domain), labels = parameter.labels,
                          kept](const Point& earlier) { return kept(labels, own(earlier)); };
    // What the default chooses may be possible only with a value that is gone.
    const std::vector<int64_t> domain = parameter.domain(default_point);
    const int64_t wanted = space.default_point()[k];
    default_point.push_back(std::ranges::count(domain, wanted) > 0 ? wanted : domain.front());
  }
  return Space(
      space.spec(), space.target(), std::move(parameters),
      [space](const Point& point) { return space.decode(point); }, std::move(default_point));
}

}  // namespace

Space unfused(const Space& space) {
  return restricted(space, ParameterKind::made_at, [](const auto&, std::vector<int64_t> values) {
    if (std::ranges::count(values, kApart) > 0) values = {kApart};
    return values;
  });
}

Space exact_only(const Space& space) {
  return restricted(space, ParameterKind::algorithm, [](const auto& labels, auto values) {
    std::vector<int64_t> exact = values;
    std::erase_if(exact, [&](int64_t value) {
      const std::string& label = labels[static_cast<size_t>(value)];
      return label == "pairs" || label.starts_with("winograd");
    });
    return exact.empty() ? values : exact;
  });
}

}  // namespace dovetail
