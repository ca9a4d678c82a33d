// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/parsed_points.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "primitives/refuse.h"

namespace dovetail::testing {
namespace {

std::string value_text(const Parameter& parameter, int64_t value) {
  const auto index = static_cast<size_t>(value);
  return value >= 0 && index < parameter.labels.size() ? parameter.labels[index]
                                                       : std::to_string(value);
}

Result<int64_t> parse_value(const Parameter& parameter, std::string_view text) {
  const auto label = std::ranges::find(parameter.labels, text);
  if (label != parameter.labels.end()) return label - parameter.labels.begin();
  const std::optional<int64_t> number = read_number<int64_t>(text);
  if (number && parameter.labels.empty()) return *number;
  return refuse("point", "{}={}, expected {}", parameter.name, text,
                parameter.labels.empty() ? "a number" : "one of " + one_of(parameter.labels));
}

std::string domain_text(const Parameter& parameter, const std::vector<int64_t>& domain) {
  std::string text;
  for (int64_t value : domain) text += (text.empty() ? "" : " ") + value_text(parameter, value);
  return text;
}

}  // namespace

Result<Point> parse_point(const Space& space, std::string_view text) {
  Point point;
  for (const Parameter& parameter : space.parameters()) {
    if (!is_choice(parameter, point)) {
      point.push_back(parameter.domain(point).front());
      continue;
    }
    const size_t end = std::min(text.find(' '), text.size());
    const size_t equals = text.substr(0, end).find('=');
    if (equals == std::string_view::npos || !is_called(parameter, text.substr(0, equals)))
      return refuse("point", "found '{}', expected {}=…", text.substr(0, end), parameter.name);
    const int64_t value = TRY(parse_value(parameter, text.substr(equals + 1, end - equals - 1)));
    const std::vector<int64_t> domain = parameter.domain(point);
    if (std::find(domain.begin(), domain.end(), value) == domain.end()) {
      return refuse("point", "{} is not in {{{}}} here", text.substr(0, end),
                    domain_text(parameter, domain));
    }
    point.push_back(value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!text.empty()) return refuse("point", "found '{}' after the last parameter", text);
  return point;
}

}  // namespace dovetail::testing
