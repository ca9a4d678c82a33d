// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/alternatives.h"

#include <algorithm>

namespace dovetail {
namespace {

Point part_of(const Point& point, size_t first, size_t count) {
  const size_t begin = std::min(first, point.size());
  const size_t end = std::min(first + count, point.size());
  return Point(point.begin() + static_cast<ptrdiff_t>(begin),
               point.begin() + static_cast<ptrdiff_t>(end));
}

Parameter chooser(const std::vector<Alternative>& alternatives) {
  Parameter p;
  p.kind = ParameterKind::algorithm;
  p.decides = decides(p.kind);
  p.name = parameter_name(p.kind);
  p.meaning = "how the operator is computed";
  std::vector<int64_t> values;
  for (const Alternative& alternative : alternatives) {
    values.push_back(static_cast<int64_t>(values.size()));
    p.labels.push_back(alternative.name);
  }
  p.domain = [values](const Point&) { return values; };
  return p;
}

// The default rule's value of a parameter if its domain has it, else the first value.
int64_t wanted_value(const Choices& wanted, const Parameter& parameter,
                     const std::vector<int64_t>& domain) {
  const int64_t* value = wanted.find(id_of(parameter));
  const bool possible = value != nullptr && std::ranges::find(domain, *value) != domain.end();
  return possible ? *value : domain.front();
}

Point wanted_point(const std::vector<Parameter>& parameters, const Choices& wanted) {
  Point point;
  for (const Parameter& parameter : parameters)
    point.push_back(wanted_value(wanted, parameter, parameter.domain(point)));
  return point;
}

// `parameter` of alternative `number`, in the joined space, where its parameters start at `first`.
Parameter conditional(const Parameter& parameter, const Alternative& alternative, int64_t number,
                      size_t first, int64_t otherwise) {
  Parameter p = parameter;
  if (number > 0) p.algorithm = alternative.name;
  p.name = parameter_name(id_of(p), p.algorithm);
  p.only_with = {{0, number}};
  for (const Condition& own : parameter.only_with)
    p.only_with.push_back({first + own.parameter, own.value});
  p.depends_on = {0};
  for (const size_t earlier : parameter.depends_on) p.depends_on.push_back(first + earlier);
  p.domain = [own = parameter.domain, number, first, otherwise,
              count = alternative.parameters.size()](const Point& earlier) {
    return earlier[0] == number ? own(part_of(earlier, first, count))
                                : std::vector<int64_t>{otherwise};
  };
  return p;
}

std::vector<Alternative>::const_iterator least_by_estimate(
    const std::vector<Alternative>& alternatives) {
  auto least = alternatives.begin();
  if (!least->estimated_seconds) return least;
  double most = kWorthIt * *least->estimated_seconds;
  for (auto other = least + 1; other != alternatives.end(); ++other) {
    if (!other->estimated_seconds || *other->estimated_seconds >= most) continue;
    least = other;
    most = *other->estimated_seconds;
  }
  return least;
}

}  // namespace

std::vector<Parameter> joined_parameters(const std::vector<Alternative>& alternatives) {
  if (alternatives.size() == 1) return alternatives[0].parameters;
  std::vector<Parameter> parameters = {chooser(alternatives)};
  for (size_t a = 0; a < alternatives.size(); ++a) {
    const Alternative& alternative = alternatives[a];
    const size_t first = parameters.size();
    // Values of the alternative's parameters where another alternative is chosen.
    const Point defaults = wanted_point(alternative.parameters, alternative.wanted);
    for (size_t k = 0; k < defaults.size(); ++k) {
      parameters.push_back(conditional(alternative.parameters[k], alternative,
                                       static_cast<int64_t>(a), first, defaults[k]));
    }
  }
  return parameters;
}

Trace decode(const std::vector<Alternative>& alternatives, const Point& point) {
  const bool choice = alternatives.size() > 1;
  const size_t which = choice ? static_cast<size_t>(point[0]) : 0;
  size_t first = choice ? 1 : 0;
  for (size_t a = 0; a < which; ++a) first += alternatives[a].parameters.size();
  const Alternative& chosen = alternatives[which];
  Choices choices;
  for (size_t k = 0; k < chosen.parameters.size(); ++k)
    choices.append(id_of(chosen.parameters[k]), point[first + k]);
  return chosen.decode(choices);
}

Point default_point(const std::vector<Alternative>& alternatives) {
  auto chosen = std::ranges::find(alternatives, true, &Alternative::is_default);
  if (chosen == alternatives.end()) chosen = least_by_estimate(alternatives);
  Choices wanted = chosen->wanted;
  wanted.set(ParameterKind::algorithm, chosen - alternatives.begin());
  return wanted_point(joined_parameters(alternatives), wanted);
}

}  // namespace dovetail
