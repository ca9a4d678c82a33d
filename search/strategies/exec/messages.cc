// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/exec/messages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/fail.h"
#include "search/strategies/points/points.h"

namespace dovetail::exec {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const Space& space, const Point& point) {
  Json json = Json::object();
  for (size_t k = 0; k < point.size(); ++k) json[space.parameters()[k].name] = point[k];
  return json;
}

Json json_of(const Space& space, size_t position, const std::vector<int64_t>& values) {
  const std::vector<Parameter>& parameters = space.parameters();
  const Parameter& parameter = parameters[position];
  Json depends_on = Json::array(), only_with = Json::array();
  for (const size_t earlier : parameter.depends_on) depends_on.push_back(parameters[earlier].name);
  for (const Condition& condition : parameter.only_with)
    only_with.push_back(
        {{"parameter", parameters[condition.parameter].name}, {"value", condition.value}});
  Json json{{"name", parameter.name}, {"meaning", parameter.meaning}, {"values", values}};
  if (!parameter.labels.empty()) json["labels"] = parameter.labels;
  json["depends_on"] = std::move(depends_on);
  json["only_with"] = std::move(only_with);
  json["off_percent"] = parameter.off_percent;
  return json;
}

// The beginning of a line, for error messages.
std::string quoted(const std::string& line) {
  constexpr size_t kShown = 80;
  std::string shown = line.substr(0, kShown);
  std::ranges::replace_if(shown, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return "'" + shown + (line.size() > kShown ? "…'" : "'");
}

Result<Point> named_point(const Space& space, const Json& json) {
  Point wanted = space.default_point();
  for (const auto& [name, value] : json.items()) {
    const auto found = std::ranges::find_if(
        space.parameters(), [&](const Parameter& parameter) { return is_called(parameter, name); });
    if (found == space.parameters().end()) return fail("no parameter is named '" + name + "'");
    if (!value.is_number_integer())
      return fail("{} is {}, expected a whole number", name, text_of(value));
    wanted[static_cast<size_t>(found - space.parameters().begin())] = value.get<int64_t>();
  }
  return repair(space, wanted);
}

Result<Point> point_of(const Space& space, const Json& json) {
  if (json.is_object()) return named_point(space, json);
  const size_t count = space.parameters().size();
  std::vector<double> places;
  if (json.is_array()) {
    for (const Json& number : json) {
      const double place = number.is_number() ? number.get<double>() : NAN;
      if (place >= 0 && place <= 1) places.push_back(place);
    }
  }
  if (!json.is_array() || places.size() != json.size() || places.size() != count)
    return fail("a point is neither an object of values nor a list of {} numbers from 0 to 1",
                count);
  return point_at(space, places);
}

Result<Answer> answer_of(const Space& space, const Json& json) {
  const std::string type = json.value("type", "");
  if (type == "ready") {
    Ready ready;
    if (json.contains("timeout_seconds")) {
      if (!json["timeout_seconds"].is_number() || !(json["timeout_seconds"].get<double>() > 0))
        return fail("timeout_seconds is no positive number");
      ready.timeout_seconds = json["timeout_seconds"].get<double>();
    }
    return Answer(ready);
  }
  if (type == "domains" && json.contains("point"))
    return Answer(AskDomains{TRY(point_of(space, json["point"]))});
  if (type == "propose" && json.contains("points") && json["points"].is_array()) {
    Propose propose;
    for (const Json& point : json["points"]) propose.points.push_back(TRY(point_of(space, point)));
    return Answer(std::move(propose));
  }
  return fail("expected type ready, propose (with points) or domains (with a point)");
}

}  // namespace

std::string space_message(const StrategyContext& context) {
  const Space& space = context.space;
  Json parameters = Json::array();
  Point around;  // default values so far
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    Point here = around;
    for (const Condition& condition : space.parameters()[k].only_with)
      here[condition.parameter] = condition.value;
    parameters.push_back(json_of(space, k, space.parameters()[k].domain(here)));
    around.push_back(space.default_point()[k]);
  }
  return text_of({{"type", "space"},
                  {"version", 1},
                  {"task", print(space.spec())},
                  {"target", print(space.target().name)},
                  {"seed", context.seed},
                  {"parameters", std::move(parameters)},
                  {"default", json_of(space, space.default_point())}});
}

std::string ask_message(size_t count) { return text_of({{"type", "ask"}, {"count", count}}); }

std::string domains_message(const Space& space, const Point& point) {
  const std::vector<std::vector<int64_t>> domains = domains_along(space, point);
  Json json = Json::object();
  for (size_t k = 0; k < domains.size(); ++k) json[space.parameters()[k].name] = domains[k];
  return text_of(
      {{"type", "domains"}, {"point", json_of(space, point)}, {"domains", std::move(json)}});
}

std::string tell_message(const Space& space, std::span<const ToldPoint> told) {
  Json observations = Json::array();
  for (const auto& [point, observation] : told) {
    Json one{{"point", json_of(space, point)}};
    one["status"] = observation.rejected ? "rejected" : std::string(print(observation.status));
    if (!observation.rejected && observation.status == Status::ok)
      one["seconds"] = observation.seconds;
    observations.push_back(std::move(one));
  }
  return text_of({{"type", "tell"}, {"observations", std::move(observations)}});
}

Result<Answer> parse_answer(const Space& space, const std::string& line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const bool typed = json.is_object() && json.contains("type") && json["type"].is_string();
  if (!typed) return fail("answered {}, expected a JSON object with a type", quoted(line));
  Result<Answer> answer = answer_of(space, json);
  if (!answer) return fail("answered {}: {}", quoted(line), answer.error().message);
  return answer;
}

}  // namespace dovetail::exec
