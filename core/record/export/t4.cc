// SPDX-License-Identifier: Apache-2.0
// MeasuredSpace as a T4 file: the format is in measured_space.h.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/record/export/measured_space.h"
#include "core/record/export/t4_words.h"
#include "core/record/line/json_fields.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kT4Schema = "1.0.0";

void print_point(const MeasuredSpace& space, const PointResult& point, std::string& text) {
  CHECK(point.values.size() == space.parameters.size(), "a point of another space");
  text += "{\"configuration\":{";
  for (size_t k = 0; k < point.values.size(); ++k) {
    fmt::format_to(std::back_inserter(text), "{}{}:{}", k > 0 ? "," : "",
                   json_text(space.parameters[k]), point.values[k]);
  }
  fmt::format_to(std::back_inserter(text),
                 "}},\"trace_hash\":\"{:016x}\",\"status\":\"{}\",\"times\":{{\"compilation\":{},"
                 "\"benchmark\":{},\"framework\":0.0,\"search_algorithm\":0.0,\"validation\":{},"
                 "\"runtimes\":[{}]}},\"invalidity\":\"{}\",\"correctness\":{},\"measurements\":[",
                 point.trace_hash, print(point.status), json_real(point.build_seconds),
                 json_real(point.run_seconds), json_real(point.check_seconds),
                 json_real(point.run_seconds), t4_invalidity(point.status),
                 point.status == Status::ok ? 1 : 0);
  const std::string time = point.status == Status::ok
                               ? json_real(point.seconds)
                               : fmt::format("\"{}\"", t4_missing_time(point.status));
  fmt::format_to(std::back_inserter(text), "{{\"name\":\"time\",\"value\":{},\"unit\":\"s\"}}",
                 time);
  if (point.first_seconds > 0) {
    fmt::format_to(std::back_inserter(text),
                   ",{{\"name\":\"first_time\",\"value\":{},\"unit\":\"s\"}}",
                   json_real(point.first_seconds));
  }
  text += "]}";
}

// Reads fields and remembers the first mistake; values are of no use after one.
class Reader {
 public:
  explicit Reader(std::string where) : where_(std::move(where)) {}

  const Json& object(const Json& from, const char* name) {
    return field(from, name, "an object", [](const Json& json) { return json.is_object(); });
  }
  const Json& list(const Json& from, const char* name) {
    return field(from, name, "a list", [](const Json& json) { return json.is_array(); });
  }
  std::string text(const Json& from, const char* name) {
    const Json& json =
        field(from, name, "a string", [](const Json& value) { return value.is_string(); });
    return json.is_string() ? json.get<std::string>() : std::string();
  }
  // A time: from 0 on.
  double seconds(const Json& from, const char* name) {
    const Json& json = field(from, name, "seconds from 0", [](const Json& value) {
      return value.is_number() && value.get<double>() >= 0;
    });
    return json.is_number() ? json.get<double>() : 0;
  }
  int64_t count(const Json& from, const char* name) {
    const Json& json = field(from, name, "a count", [](const Json& value) {
      return value.is_number_integer() && value.get<int64_t>() >= 0;
    });
    return json.is_number_integer() ? json.get<int64_t>() : 0;
  }
  void mistake(const std::string& problem) {
    if (problem_.empty()) problem_ = where_ + ": " + problem;
  }
  void at(std::string where) { where_ = std::move(where); }
  Result<void> check() const {
    if (!problem_.empty()) return fail(problem_);
    return {};
  }

 private:
  template <typename Fits>
  const Json& field(const Json& from, const char* name, const char* expected, Fits fits) {
    static const Json kNothing = Json::object();
    const auto found = from.find(name);
    if (found != from.end() && fits(*found)) return *found;
    const std::string what = found == from.end() ? "missing" : "found " + excerpt(*found);
    mistake(fmt::format("field {}: {}, expected {}", name, what, expected));
    return kNothing;
  }
  static std::string excerpt(const Json& json) {
    const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= 40 ? text : text.substr(0, 40) + "…";
  }

  std::string where_;
  std::string problem_;
};

void read_configuration(const Json& configuration, const std::vector<std::string>& parameters,
                        std::vector<int64_t>& values, Reader& reader) {
  for (const auto& [name, value] : configuration.items()) {
    const size_t k = values.size();
    if (k >= parameters.size() || parameters[k] != name) {
      return reader.mistake(fmt::format("parameter {} is {}, expected {} as in the first point",
                                        k + 1, name,
                                        k < parameters.size() ? parameters[k] : "none"));
    }
    if (!value.is_number_integer())
      return reader.mistake(fmt::format("parameter {} is no whole number", name));
    values.push_back(value.get<int64_t>());
  }
  if (values.size() != parameters.size()) {
    reader.mistake(fmt::format("{} parameters, expected {} as in the first point", values.size(),
                               parameters.size()));
  }
}

uint64_t read_hash(const Json& result, Reader& reader) {
  const std::string text = reader.text(result, "trace_hash");
  uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || code != std::errc() || end != text.data() + text.size())
    reader.mistake(fmt::format("field trace_hash: found '{}', expected 16 hex digits", text));
  return value;
}

PointResult read_point(const Json& result, const std::vector<std::string>& parameters,
                       Reader& reader) {
  PointResult point;
  read_configuration(reader.object(result, "configuration"), parameters, point.values, reader);
  point.trace_hash = read_hash(result, reader);
  const Result<Status> status = parse_status(reader.text(result, "status"));
  if (!status) reader.mistake("field status: " + status.error().message);
  point.status = status.value_or(Status::worker_lost);
  const Json& times = reader.object(result, "times");
  point.build_seconds = reader.seconds(times, "compilation");
  point.run_seconds = reader.seconds(times, "benchmark");
  point.check_seconds = reader.seconds(times, "validation");
  bool has_time = false;
  for (const Json& measurement : reader.list(result, "measurements")) {
    if (!measurement.is_object()) {
      reader.mistake("field measurements: found something else than objects");
      break;
    }
    const std::string name = reader.text(measurement, "name");
    if (name == "first_time") point.first_seconds = reader.seconds(measurement, "value");
    if (name != "time") continue;
    has_time = true;
    if (point.status == Status::ok) point.seconds = reader.seconds(measurement, "value");
  }
  if (!has_time) reader.mistake("field measurements: no time, expected one");
  if (point.status == Status::ok && point.seconds <= 0)
    reader.mistake("status ok without a time, expected one over 0");
  return point;
}

}  // namespace

std::string print_t4(const MeasuredSpace& space) {
  JsonWriter metadata;
  metadata.text("timeunit", "seconds");
  metadata.text("task", space.task);
  metadata.text("target", space.target);
  metadata.text("space", space.space);
  metadata.text("tool", space.tool);
  if (!space.device.empty()) metadata.text("device", space.device);
  if (space.most_points > 0) metadata.integer("most_points", space.most_points);
  std::string text = fmt::format("{{\"schema_version\":\"{}\",\n\"metadata\":{},\n\"results\":[",
                                 kT4Schema, std::move(metadata).finish());
  for (const PointResult& point : space.points) {
    text += &point == space.points.data() ? "\n" : ",\n";
    print_point(space, point, text);
  }
  return text + "\n]}\n";
}

Result<MeasuredSpace> parse_t4(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) return fail("not a JSON object, expected T4");
  Reader reader("T4");
  MeasuredSpace space;
  const std::string schema = reader.text(json, "schema_version");
  if (schema != kT4Schema)
    reader.mistake(fmt::format("schema_version '{}', expected {}", schema, kT4Schema));
  const Json& metadata = reader.object(json, "metadata");
  space.task = reader.text(metadata, "task");
  space.target = reader.text(metadata, "target");
  space.space = reader.text(metadata, "space");
  space.tool = reader.text(metadata, "tool");
  if (metadata.contains("device")) space.device = reader.text(metadata, "device");
  if (metadata.contains("most_points")) space.most_points = reader.count(metadata, "most_points");
  if (const std::string unit = reader.text(metadata, "timeunit"); unit != "seconds")
    reader.mistake(fmt::format("timeunit '{}', expected seconds", unit));
  const Json& results = reader.list(json, "results");
  TRY(reader.check());
  for (const Json& result : results) {
    reader.at(fmt::format("point {}", space.points.size() + 1));
    if (!result.is_object()) reader.mistake("no object");
    TRY(reader.check());
    if (space.points.empty()) {
      for (const auto& [name, _] : reader.object(result, "configuration").items())
        space.parameters.push_back(name);
    }
    space.points.push_back(read_point(result, space.parameters, reader));
    TRY(reader.check());
  }
  TRY(space.index());
  return space;
}

}  // namespace dovetail
