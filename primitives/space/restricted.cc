// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/restricted.h"

#include <algorithm>
#include <functional>

#include "primitives/space/choices.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {
namespace {

using KeptValues = std::function<std::vector<int64_t>(std::vector<int64_t> values)>;

// The space with every domain of one kind of parameter filtered by `kept`.
Space restricted(const Space& space, ParameterKind kind, const KeptValues& kept) {
  std::vector<Parameter> parameters = space.parameters();
  Point default_point;
  for (Parameter& parameter : parameters) {
    if (parameter.kind == kind) change_domain(parameter, kept);
    // The default's value may be legal only with a value that was removed.
    const std::vector<int64_t> domain = parameter.domain(default_point);
    const int64_t wanted = space.default_point()[default_point.size()];
    default_point.push_back(std::ranges::count(domain, wanted) > 0 ? wanted : domain.front());
  }
  return Space(
      space.spec(), space.target(), std::move(parameters),
      [space](const Point& point) { return space.decode(point); }, std::move(default_point));
}

// Algorithm of one alternative of a space, taken from its default trace.
std::optional<Algorithm> algorithm_of_alternative(const Space& space, int64_t value) {
  const auto only = [value](const auto&) { return std::vector<int64_t>{value}; };
  return restricted(space, ParameterKind::algorithm, only).default_trace().algorithm;
}

}  // namespace

Space unfused(const Space& space) {
  return restricted(space, ParameterKind::compute_at, [](std::vector<int64_t> values) {
    if (std::ranges::count(values, kApart) > 0) values = {kApart};
    return values;
  });
}

Space allowed_only(const Space& space, const AllowsAlgorithm& allows) {
  const std::vector<Parameter>& parameters = space.parameters();
  if (parameters.empty() || parameters[0].kind != ParameterKind::algorithm) return space;
  std::vector<int64_t> allowed;
  const std::vector<int64_t> all = parameters[0].domain({});
  for (const int64_t value : all)
    if (allows(space.spec(), algorithm_of_alternative(space, value))) allowed.push_back(value);
  if (allowed.empty() || allowed.size() == all.size()) return space;
  return restricted(space, ParameterKind::algorithm, [allowed](const std::vector<int64_t>& values) {
    std::vector<int64_t> kept = values;
    std::erase_if(kept, [&](int64_t value) { return std::ranges::count(allowed, value) == 0; });
    return kept.empty() ? values : kept;
  });
}

}  // namespace dovetail
