// SPDX-License-Identifier: Apache-2.0
#pragma once

// The messages of exec:CMD as text; docs/strategies.md describes them.

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "search/strategies/strategies.h"

namespace dovetail::exec {

std::string space_message(const StrategyContext& context);
std::string ask_message(size_t count);
std::string domains_message(const Space& space, const Point& point);

struct ToldPoint {
  Point point;
  Observation observation;
};
std::string tell_message(const Space& space, std::span<const ToldPoint> told);

struct Ready {
  std::optional<double> timeout_seconds;
};
struct Propose {
  std::vector<Point> points;
};
struct AskDomains {
  Point point;
};
using Answer = std::variant<Ready, Propose, AskDomains>;
// An error quotes the line and names what was expected. Points are repaired.
Result<Answer> parse_answer(const Space& space, const std::string& line);

}  // namespace dovetail::exec
