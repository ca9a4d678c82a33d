// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <optional>

#include "core/base/check.h"
#include "core/record/export/export.h"
#include "core/record/line/fields.h"
#include "core/record/log/timed_caches.h"

namespace dovetail {
namespace {

constexpr double kMilliseconds = 1e3;  // per second

using Time = std::chrono::sys_time<std::chrono::microseconds>;

// Parses "2026-11-20T08:15:00Z"; none for another text.
std::optional<Time> parse_time(const std::string& text) {
  std::tm time{};
  if (::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) == nullptr) return std::nullopt;
  return Time(std::chrono::seconds(::timegm(&time)));
}

// The time of the record, in the format of Python's isoformat(). Gaps before a resume do not count.
std::string timestamp_of(const LogHeader& header, const Record& record) {
  const std::optional<Time> start = parse_time(header.started);
  if (!start) return header.started;
  constexpr double kLongestSeconds = 1e9;  // thirty years
  const double elapsed_seconds = std::min(record.elapsed_seconds, kLongestSeconds);
  const Time at = *start + std::chrono::microseconds(int64_t(elapsed_seconds * 1e6));
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}+00:00",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (at - seconds).count());
}

std::string_view invalidity(Status status) {
  switch (status) {
    case Status::ok: return "correct";
    case Status::build_error:
    case Status::device_limit: return "compile";
    case Status::timeout: return "timeout";
    case Status::wrong_output:
    case Status::impossible: return "correctness";
    case Status::run_error:
    case Status::out_of_bounds:
    case Status::worker_lost: return "runtime";
  }
  CHECK(false, "a Status that is none of its values");
}

T4Outcome outcome_of(const MeasureResult& result) {
  const MeasureTimes& times = result.times;
  T4Outcome outcome{
      .status = result.status,
      .compilation = times.build_seconds * kMilliseconds,
      .benchmark = times.run_seconds * kMilliseconds,
      .search_algorithm = (times.search_seconds + times.model_seconds) * kMilliseconds,
      .validation = times.check_seconds * kMilliseconds,
      .measurements = {{"time", result.seconds * kMilliseconds}},
      .unit = "ms"};
  for (const double sample : result.samples) outcome.runtimes.push_back(sample * kMilliseconds);
  return outcome;
}

std::string configuration_of(const Record& record) {
  JsonWriter writer;
  writer.text("task", record.task);
  writer.text("target", record.target);
  writer.text("trace", record.trace.text());
  return std::move(writer).finish();
}

std::string result_of(const LogHeader& header, const Record& record) {
  JsonWriter writer;
  writer.text("timestamp", timestamp_of(header, record));
  writer.raw("configuration", configuration_of(record));
  write_outcome(writer, outcome_of(record.result));
  writer.raw("objectives", R"(["time"])");
  return std::move(writer).finish();
}

// Describes the first campaign; with several devices, the configurations' targets tell them apart.
std::string metadata_of(const std::vector<Log>& logs) {
  JsonWriter writer;
  writer.text("timeunit", "milliseconds");
  writer.text("autotuner", "Dovetail");
  for (const Log& log : logs) {
    if (log.headers.empty()) continue;
    const LogHeader& header = log.headers.front();
    writer.text("autotuner_version", header.tool.substr(header.tool.rfind(' ') + 1));
    writer.text("device", header.device.name);
    writer.text("timestamp", header.started);
    break;
  }
  const Result<Caches> caches = caches_of(logs);
  CHECK(caches.has_value(), "times that do not compare in one T4 file");
  if (*caches != Caches::hot) writer.text("caches", print(*caches));  // not in T4; see export.h
  return std::move(writer).finish();
}

}  // namespace

void write_outcome(JsonWriter& writer, const T4Outcome& outcome) {
  JsonWriter times;
  times.real("compilation", outcome.compilation);
  times.real("benchmark", outcome.benchmark);
  times.real("framework", 0);
  times.real("search_algorithm", outcome.search_algorithm);
  times.real("validation", outcome.validation);
  times.raw("runtimes", json_of(outcome.runtimes));
  writer.raw("times", std::move(times).finish());
  const std::string_view reason = invalidity(outcome.status);
  const bool is_ok = outcome.status == Status::ok;
  writer.text("invalidity", reason);
  writer.integer("correctness", is_ok ? 1 : 0);
  std::vector<std::string> measurements;
  for (const auto& [name, value] : outcome.measurements) {
    JsonWriter measurement;
    measurement.text("name", name);
    const std::string failure =
        reason == "compile" ? R"("CompilationFailedConfig")" : R"("RuntimeFailedConfig")";
    measurement.raw("value", is_ok || name != "time" ? json_real(value) : failure);
    measurement.text("unit", outcome.unit);
    measurements.push_back(std::move(measurement).finish());
  }
  writer.raws("measurements", measurements);
}

std::string export_t4(const std::vector<Log>& logs) {
  std::vector<std::string> results;
  for (const Log& log : logs) {
    for (const Record& record : log.records) {
      if (record.kind != RecordKind::trial) continue;
      results.push_back(result_of(*log.header_of(record.campaign), record));
    }
  }
  return fmt::format("{{\"schema_version\":\"1.0.0\",\"metadata\":{},\"results\":[\n{}\n]}}\n",
                     metadata_of(logs), fmt::join(results, ",\n"));
}

}  // namespace dovetail
