// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "primitives/space/space.h"

namespace dovetail {
namespace {

std::string value_text(const Parameter& parameter, int64_t value) {
  const auto index = static_cast<size_t>(value);
  return value >= 0 && index < parameter.labels.size() ? parameter.labels[index]
                                                       : std::to_string(value);
}

std::string domain_text(const Parameter& parameter, const std::vector<int64_t>& domain) {
  std::string text;
  for (int64_t value : domain) text += (text.empty() ? "" : " ") + value_text(parameter, value);
  return text;
}

// A dash where the parameter is inactive at the default point.
std::string default_text(const Space& space, size_t position) {
  const Parameter& parameter = space.parameters()[position];
  const Point& point = space.default_point();
  return is_choice(parameter, point) ? value_text(parameter, point[position]) : "-";
}

// " with layout_levels.Y=2": the conditions that the default point does not meet.
std::string conditions_text(const Space& space, const Parameter& parameter) {
  std::string text;
  for (const auto& [position, value] : parameter.only_with) {
    if (space.default_point()[position] == value) continue;
    const Parameter& other = space.parameters()[position];
    text += (text.empty() ? " with " : " and ") + other.name + "=" + value_text(other, value);
  }
  return text;
}

}  // namespace

bool is_called(const Parameter& parameter, std::string_view name) {
  return parameter.name == name || short_name(id_of(parameter), parameter.algorithm) == name;
}

bool is_choice(const Parameter& parameter, const Point& point) {
  return std::ranges::all_of(parameter.only_with, [&](const Condition& condition) {
    return point.at(condition.parameter) == condition.value;
  });
}

std::string print(const Space& space) {
  const SpaceSize size = space.size();
  std::string text = fmt::format("space of {} on {}: {}{:.6g} point{}\n", print(space.spec()),
                                 print(space.target().name), size.exact ? "" : "about ",
                                 size.points, size.points == 1 ? "" : "s");
  size_t name_width = 0, value_width = 0;
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    name_width = std::max(name_width, space.parameters()[k].name.size());
    value_width = std::max(value_width, default_text(space, k).size());
  }
  Point earlier;
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    const Parameter& p = space.parameters()[k];
    Point around = earlier;  // with the parameter's conditions met
    for (const Condition& condition : p.only_with) around[condition.parameter] = condition.value;
    text += fmt::format("  {:{}}  {:{}}  of {{{}}}{}  # {}\n", p.name, name_width,
                        default_text(space, k), value_width, domain_text(p, p.domain(around)),
                        conditions_text(space, p), p.meaning);
    earlier.push_back(space.default_point()[k]);
  }
  return text;
}

std::string print(const Space& space, const Point& point) {
  std::string text;
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter& p = space.parameters()[k];
    if (!is_choice(p, point)) continue;
    text += (k > 0 ? " " : "") + p.name + "=" + value_text(p, point[k]);
  }
  return text;
}

}  // namespace dovetail
