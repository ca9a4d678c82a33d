// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/space.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.h"
#include "primitives/space/decode.h"
#include "primitives/space/default_rule.h"
#include "primitives/space/fixed_layout.h"
#include "primitives/space/parameters.h"

namespace dovetail {

Space::Space(Operator op, Target target, std::vector<Parameter> parameters,
             std::function<Trace(const Point&)> decode, Point default_point)
    : op_(std::move(op)),
      target_(std::move(target)),
      parameters_(std::move(parameters)),
      decode_(std::move(decode)),
      default_point_(std::move(default_point)) {
  CHECK(contains(default_point_), "the default point is not in its space");
}

Point Space::sample(std::mt19937_64& rng) const {
  Point point;
  for (const Parameter& parameter : parameters_) {
    const std::vector<int64_t> domain = parameter.domain(point);
    // Modulo instead of uniform_int_distribution, whose results differ between standard libraries.
    point.push_back(domain[rng() % domain.size()]);
  }
  return point;
}

bool Space::contains(const Point& point) const {
  if (point.size() != parameters_.size()) return false;
  Point earlier;
  for (size_t k = 0; k < point.size(); ++k) {
    const std::vector<int64_t> domain = parameters_[k].domain(earlier);
    if (std::find(domain.begin(), domain.end(), point[k]) == domain.end()) return false;
    earlier.push_back(point[k]);
  }
  return true;
}

Trace Space::decode(const Point& point) const {
  CHECK(contains(point), "decode of a point that is not in the space");
  return decode_(point);
}

Result<Space> build_space(const Operator& op, const Target& target,
                          const std::optional<FixedLayout>& layout) {
  const Computation computation = TRY(define(op));
  std::optional<std::string> vector_axis;
  if (layout && op.kind == OperatorKind::custom) {
    return fail(
        fmt::format("{}: layout {} has no meaning for a written sum", print(op), print(*layout)));
  }
  if (layout) vector_axis = contiguous_axis(computation, *layout);
  Structure derived = TRY(derive_structure(computation, target, vector_axis));
  derived.sums_fit_output = op.dtype == DataType::f32;
  const auto structure = std::make_shared<const Structure>(std::move(derived));
  std::vector<Parameter> parameters = derive_parameters(structure, target);
  if (layout) parameters = with_layout(std::move(parameters), *structure, *layout);
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  const auto decode_point = [structure, target, names](const Point& point) {
    Choices choices;
    for (size_t k = 0; k < names.size(); ++k) choices[names[k]] = point[k];
    return decode(*structure, target, choices);
  };
  const Choices wanted = default_choices(*structure, target);
  Point point;
  for (const Parameter& parameter : parameters) {
    const std::vector<int64_t> domain = parameter.domain(point);
    const auto it = wanted.find(parameter.name);
    const bool possible =
        it != wanted.end() && std::find(domain.begin(), domain.end(), it->second) != domain.end();
    point.push_back(possible ? it->second : domain.front());
  }
  return Space(op, target, std::move(parameters), decode_point, std::move(point));
}

}  // namespace dovetail
