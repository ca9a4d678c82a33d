// SPDX-License-Identifier: Apache-2.0
// MeasuredSpace as a T4 file; measured_space.h documents the format.
#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "core/base/check.h"
#include "core/record/export/export.h"
#include "core/record/export/measured_space.h"
#include "core/record/line/fields.h"

namespace dovetail {

// Outside of the unnamed namespace, for argument-dependent lookup.
auto fields_of(Of<StoredCondition> auto& condition) {
  return std::tuple(Field{"parameter", condition.parameter, AtLeast{0}},
                    Field{"value", condition.value});
}

auto fields_of(Of<StoredParameter> auto& parameter) {
  constexpr auto kOptional = Presence::unless_empty;
  return std::tuple(Field{"name", parameter.name}, Field{"kind", parameter.kind},
                    Field{"tensor", parameter.tensor, AnyValue{}, kOptional},
                    Field{"axis", parameter.axis, AnyValue{}, kOptional},
                    Field{"input", parameter.input, AtLeast{0}, kOptional},
                    Field{"algorithm", parameter.algorithm, AnyValue{}, kOptional},
                    Field{"meaning", parameter.meaning, AnyValue{}, kOptional},
                    Field{"depends_on", parameter.depends_on, AtLeast{0}, kOptional},
                    Field{"labels", parameter.labels, AnyValue{}, kOptional},
                    Field{"only_with", parameter.only_with, AnyValue{}, kOptional},
                    Field{"off_percent", parameter.off_percent, AtLeast{0}, Presence::may_lack},
                    Field{"default", parameter.by_default},
                    Field{"value", parameter.value, AnyValue{}, kOptional});
}

auto fields_of(Of<UnmeasuredPoint> auto& point) {
  return std::tuple(Field{"row", point.row, AtLeast{0}}, Field{"values", point.values},
                    Field{"trace", point.trace});
}

namespace {

constexpr std::string_view kT4Schema = "1.0.0";

auto metadata_of(Of<MeasuredSpace> auto& space) {
  return std::tuple(Field{"task", space.task}, Field{"target", space.target},
                    Field{"space", space.space}, Field{"tool", space.tool},
                    Field{"device", space.device, AnyValue{}, Presence::unless_empty});
}

auto stored_fields(Of<StoredSpace> auto& stored) {
  constexpr auto kOptional = Presence::unless_empty;
  return std::tuple(Field{"space_parameters", stored.parameters, AnyValue{}, kOptional},
                    Field{"lines", stored.lines, AnyValue{}, kOptional},
                    Field{"unmeasured", stored.unmeasured, AnyValue{}, kOptional});
}

auto trace_of(Of<PointResult> auto& point) {
  return std::tuple(Field{"trace", point.trace, AnyValue{}, Presence::unless_empty});
}

auto times_of(PointResult& point) {
  return std::tuple(Field{"compilation", point.build_seconds, Seconds{}},
                    Field{"benchmark", point.run_seconds, Seconds{}},
                    Field{"validation", point.check_seconds, Seconds{}});
}

std::string print_point(const MeasuredSpace& space, const PointResult& point) {
  CHECK(point.values.size() == space.parameters.size(), "a point of another space");
  JsonWriter configuration;
  for (size_t k = 0; k < point.values.size(); ++k)
    configuration.integer(space.parameters[k], point.values[k]);
  T4Outcome outcome{.status = point.status,
                    .compilation = point.build_seconds,
                    .benchmark = point.run_seconds,
                    .validation = point.check_seconds,
                    .runtimes = {point.run_seconds},
                    .measurements = {{"time", point.seconds}},
                    .unit = "s"};
  if (point.first_seconds > 0) outcome.measurements.emplace_back("first_time", point.first_seconds);
  JsonWriter writer;
  writer.raw("configuration", std::move(configuration).finish());
  writer.text("trace_hash", fmt::format("{:016x}", point.trace_hash));
  write_fields(writer, trace_of(point));
  writer.text("status", print(point.status));
  write_outcome(writer, outcome);
  return std::move(writer).finish();
}

// All points have the parameters of the first one.
void read_configuration(JsonFields json, std::vector<std::string>& parameters,
                        std::vector<int64_t>& values, bool is_first) {
  const std::vector<std::string> names = json.names();
  if (is_first) parameters = names;
  for (size_t k = 0; k < std::max(names.size(), parameters.size()); ++k) {
    const std::string expected = k < parameters.size() ? parameters[k] : "none";
    const std::string found = k < names.size() ? names[k] : "none";
    if (found != expected) {
      return json.mistake(
          fmt::format("parameter {}", k + 1),
          fmt::format("found {}, expected {} as in the first point", found, expected));
    }
    values.push_back(json.integer(found, std::numeric_limits<int64_t>::min()));
  }
}

uint64_t read_hash(JsonFields& json) {
  const std::string text = json.text("trace_hash");
  uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || code != std::errc() || end != text.data() + text.size())
    json.mistake("trace_hash", fmt::format("found '{}', expected 16 hex digits", text));
  return value;
}

void read_measurements(JsonFields list, PointResult& point) {
  bool has_time = false;
  for (const std::string& item : list.names()) {
    JsonFields measurement = list.object(item);
    const std::string name = measurement.text("name");
    const bool is_time = name == "time";
    has_time = has_time || is_time;
    double& seconds = is_time ? point.seconds : point.first_seconds;
    if (name == "first_time" || (is_time && point.status == Status::ok))
      read_value(measurement, "value", seconds, Reals::finite, Seconds{});
  }
  if (!has_time) list.mistake("", "no time, expected one");
  if (point.status == Status::ok && point.seconds <= 0)
    list.mistake("", "status ok without a time, expected one over 0");
}

PointResult read_point(JsonFields json, MeasuredSpace& space) {
  PointResult point;
  read_configuration(json.object("configuration"), space.parameters, point.values,
                     space.points.empty());
  point.trace_hash = read_hash(json);
  read_fields(json, trace_of(point), Reals::finite);
  read_value(json, "status", point.status, Reals::finite);
  JsonFields times = json.object("times");
  read_fields(times, times_of(point), Reals::finite);
  read_measurements(json.list("measurements"), point);
  return point;
}

}  // namespace

std::string print_t4(const MeasuredSpace& space) {
  JsonWriter metadata;
  metadata.text("timeunit", "seconds");
  write_fields(metadata, metadata_of(space));
  if (space.most_points > 0) metadata.integer("most_points", space.most_points);
  write_fields(metadata, stored_fields(space.stored));
  std::string text = fmt::format("{{\"schema_version\":\"{}\",\n\"metadata\":{},\n\"results\":[",
                                 kT4Schema, std::move(metadata).finish());
  for (const PointResult& point : space.points) {
    text += &point == space.points.data() ? "\n" : ",\n";
    text += print_point(space, point);
  }
  return text + "\n]}\n";
}

Result<MeasuredSpace> parse_t4(std::string_view text) {
  Result<JsonFields> json = JsonFields::parse(text);
  if (!json) return fail("not a JSON object, expected T4");
  const auto check = [&json]() -> Result<void> {
    if (const auto checked = json->check(); !checked) return fail("T4: " + checked.error().message);
    return {};
  };
  MeasuredSpace space;
  if (const std::string schema = json->text("schema_version"); schema != kT4Schema)
    json->mistake("schema_version", fmt::format("found '{}', expected {}", schema, kT4Schema));
  JsonFields metadata = json->object("metadata");
  read_fields(metadata, metadata_of(space));
  if (metadata.has("most_points")) space.most_points = metadata.integer("most_points", 0);
  read_fields(metadata, stored_fields(space.stored), Reals::finite);
  if (const std::string unit = metadata.text("timeunit"); unit != "seconds")
    metadata.mistake("timeunit", fmt::format("found '{}', expected seconds", unit));
  JsonFields results = json->list("results");
  for (const std::string& item : results.names()) {
    space.points.push_back(read_point(results.object(item), space));
    TRY(check());
  }
  TRY(check());
  TRY(space.index());
  return space;
}

}  // namespace dovetail
