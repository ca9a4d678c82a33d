// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/record.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "core/base/check.h"
#include "core/record/line/log_line.h"

namespace dovetail {
namespace {

constexpr std::array kKinds = {RecordKind::trial, RecordKind::sentinel, RecordKind::confirmation};

std::string print_error(const Record& record) {
  JsonWriter writer;
  writer.real("max_abs", record.result.max_abs_error);
  writer.real("max_rel", record.result.max_rel_error);
  writer.unknown(record.unknown_error);
  return std::move(writer).finish();
}

std::string print_times(const Record& record) {
  JsonWriter writer;
  write_times(writer, record.result.times);
  writer.unknown(record.unknown_times);
  return std::move(writer).finish();
}

// What the line is about: a trial with its trace, or another measurement of one.
void print_identity(JsonWriter& writer, const Record& record) {
  if (record.kind == RecordKind::trial) {
    writer.integer("trial", record.trial);
  } else {
    writer.text("kind", print(record.kind));
    writer.integer("of_trial", record.trial);
  }
  writer.integer("campaign", record.campaign);
  writer.text("task", record.task);
  writer.text("target", record.target);
  if (record.kind == RecordKind::trial) writer.text("trace", record.trace);
  if (record.is_default) writer.boolean("default", true);
  if (record.cold) writer.boolean("cold", true);
}

void print_result(JsonWriter& writer, const Record& record) {
  const MeasureResult& result = record.result;
  writer.text("status", print(result.status));
  if (!result.reason.empty()) writer.text("reason", result.reason);
  if (result.samples.empty() && result.seconds == 0) {
    writer.raw("seconds", "null");
  } else {
    writer.real("seconds", result.seconds);
  }
  writer.reals("samples", result.samples);
  writer.raw("error", print_error(record));
  writer.raw("times", print_times(record));
  writer.integer("workspace_bytes", result.workspace_bytes);
}

void parse_identity(JsonFields& fields, Record& record) {
  if (fields.has("kind")) {
    const auto kind = parse_record_kind(fields.text("kind"));
    if (!kind || *kind == RecordKind::trial) {
      fields.mistake("kind",
                     kind ? "found \"trial\", which is said by its absence" : kind.error().message);
      return;
    }
    record.kind = *kind;
    record.trial = fields.integer("of_trial", 1);
  } else {
    record.trial = fields.integer("trial", 1);
    record.trace = fields.text("trace");
  }
  record.campaign = fields.integer("campaign", 1);
  record.task = fields.text("task");
  record.target = fields.text("target");
  record.is_default = fields.has("default") && fields.boolean("default");
  record.cold = fields.has("cold") && fields.boolean("cold");
}

bool is_duration(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

double duration(JsonFields& fields, std::string_view name) {
  const double seconds = fields.real(name);
  if (!is_duration(seconds)) fields.mistake(name, "expected seconds, finite and not below 0");
  return seconds;
}

void parse_timing(JsonFields& fields, MeasureResult& result) {
  result.samples = fields.reals("samples");
  for (double sample : result.samples) {
    if (!is_duration(sample)) fields.mistake("samples", "expected seconds, finite and not below 0");
  }
  if (fields.kind("seconds") == JsonKind::null) {
    fields.raw("seconds");
    if (!result.samples.empty()) fields.mistake("seconds", "found null beside samples");
  } else {
    result.seconds = duration(fields, "seconds");
  }
  if (result.status == Status::ok && result.seconds == 0) {
    fields.mistake("seconds", "found none with status ok, expected a time above 0");
  }
}

void parse_result(JsonFields& fields, Record& record) {
  MeasureResult& result = record.result;
  const auto status = parse_status(fields.text("status"));
  if (status) {
    result.status = *status;
  } else {
    fields.mistake("status", status.error().message);
  }
  if (fields.has("reason")) result.reason = fields.text("reason");
  parse_timing(fields, result);
  JsonFields error = fields.object("error");
  result.max_abs_error = error.real("max_abs");
  result.max_rel_error = error.real("max_rel");
  record.unknown_error = error.rest();
  JsonFields times = fields.object("times");
  result.times.build_seconds = duration(times, "build");
  result.times.run_seconds = duration(times, "run");
  result.times.check_seconds = duration(times, "check");
  result.times.search_seconds = duration(times, "search");
  result.times.model_seconds = duration(times, "model");
  record.unknown_times = times.rest();
  result.workspace_bytes = fields.integer("workspace_bytes", 0);
}

}  // namespace

std::string_view print(RecordKind kind) {
  switch (kind) {
    case RecordKind::trial:
      return "trial";
    case RecordKind::sentinel:
      return "sentinel";
    case RecordKind::confirmation:
      return "confirmation";
  }
  CHECK(false, "a RecordKind that is none of its values");
}

Result<RecordKind> parse_record_kind(std::string_view text) {
  for (RecordKind kind : kKinds) {
    if (print(kind) == text) return kind;
  }
  return fail(fmt::format("kind \"{}\" is unknown; expected sentinel or confirmation", text));
}

void write_times(JsonWriter& writer, const MeasureTimes& times) {
  writer.real("build", times.build_seconds);
  writer.real("run", times.run_seconds);
  writer.real("check", times.check_seconds);
  writer.real("search", times.search_seconds);
  writer.real("model", times.model_seconds);
}

std::string print(const Record& record) {
  JsonWriter writer;
  print_identity(writer, record);
  print_result(writer, record);
  writer.text("strategy", record.strategy);
  writer.natural("seed", record.seed);
  writer.integer("rejected", record.rejected);
  writer.real("elapsed", record.elapsed_seconds);
  writer.unknown(record.unknown);
  return seal_line(std::move(writer).finish());
}

Result<Record> parse_record(std::string_view object, int schema) {
  Record record;
  auto fields = TRY(JsonFields::parse(TRY(migrate(std::string(object), schema))));
  parse_identity(fields, record);
  parse_result(fields, record);
  record.strategy = fields.text("strategy");
  record.seed = fields.natural("seed");
  if (fields.has("rejected")) record.rejected = fields.integer("rejected", 0);
  if (fields.has("elapsed")) record.elapsed_seconds = duration(fields, "elapsed");
  record.unknown = fields.rest();
  TRY(fields.check());
  return record;
}

}  // namespace dovetail
