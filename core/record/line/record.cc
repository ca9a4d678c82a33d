// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/record.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/record/line/fields.h"
#include "core/record/line/log_line.h"
#include "core/record/line/times_fields.h"

namespace dovetail {
namespace {

// In the order of RecordKind.
constexpr std::array<std::string_view, 3> kKinds = {"trial", "sentinel", "confirmation"};

auto task_fields(Of<Record> auto& record) {
  return std::tuple(Field{"campaign", record.campaign, AtLeast{1}}, Field{"task", record.task},
                    Field{"target", record.target});
}

auto flags_of(Of<Record> auto& record) {
  return std::tuple(Field{"default", record.is_default, AnyValue{}, Presence::unless_empty},
                    Field{"caches", record.caches, AnyValue{}, Presence::unless_empty});
}

auto sitting_of(Of<Record> auto& record) {
  return std::tuple(Field{"sitting", record.sitting, AtLeast{0}, Presence::may_lack});
}

auto status_fields(Of<MeasureResult> auto& result) {
  return std::tuple(Field{"status", result.status},
                    Field{"reason", result.reason, AnyValue{}, Presence::unless_empty});
}

auto errors_of(Of<MeasureResult> auto& result) {
  return std::tuple(Field{"max_abs", result.max_abs_error}, Field{"max_rel", result.max_rel_error},
                    Field{"of_range", result.range_error, AnyValue{}, Presence::unless_empty});
}

auto search_fields(Of<Record> auto& record) {
  return std::tuple(Field{"strategy", record.strategy}, Field{"seed", record.seed},
                    Field{"rejected", record.rejected, AtLeast{0}, Presence::may_lack},
                    Field{"elapsed", record.elapsed_seconds, Seconds{}, Presence::may_lack});
}

// The fields as an object, including fields that an earlier reader did not know.
std::string print_inner(const auto& fields, const UnknownFields& unknown) {
  JsonWriter writer;
  write_fields(writer, fields);
  writer.unknown(unknown);
  return std::move(writer).finish();
}

void parse_inner(JsonFields json, const auto& fields, UnknownFields& unknown) {
  read_fields(json, fields);
  unknown = json.rest();
}

// A line is a trial with its trace, or another measurement of a trial.
void print_identity(JsonWriter& writer, const Record& record) {
  if (record.kind == RecordKind::trial) {
    writer.integer("trial", record.trial);
  } else {
    writer.text("kind", print(record.kind));
    writer.integer("of_trial", record.trial);
  }
  write_fields(writer, task_fields(record));
  if (record.kind == RecordKind::trial) writer.text("trace", record.trace.text());
  write_fields(writer, flags_of(record));
  if (record.sitting > 0) write_fields(writer, sitting_of(record));
}

void print_result(JsonWriter& writer, const Record& record) {
  const MeasureResult& result = record.result;
  write_fields(writer, status_fields(result));
  const bool is_timed = !result.samples.empty() || result.seconds != 0;
  writer.raw("seconds", is_timed ? json_real(result.seconds) : "null");
  writer.raw("samples", json_of(result.samples));
  writer.raw("error", print_inner(errors_of(result), record.unknown_error));
  writer.raw("times", print_inner(fields_of(result.times), record.unknown_times));
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
  read_fields(fields, task_fields(record));
  read_fields(fields, flags_of(record));
  if (record.kind == RecordKind::confirmation) read_fields(fields, sitting_of(record));
}

void parse_timing(JsonFields& fields, MeasureResult& result) {
  result.samples = fields.reals("samples");
  for (double sample : result.samples) fields.check_seconds("samples", sample);
  if (fields.is_null("seconds")) {
    if (!result.samples.empty()) fields.mistake("seconds", "found null beside samples");
  } else {
    read_value(fields, "seconds", result.seconds, Reals::quoted, Seconds{});
  }
  if (result.status == Status::ok && result.seconds == 0)
    fields.mistake("seconds", "found none with status ok, expected a time above 0");
}

void parse_result(JsonFields& fields, Record& record) {
  MeasureResult& result = record.result;
  read_fields(fields, status_fields(result));
  parse_timing(fields, result);
  parse_inner(fields.object("error"), errors_of(result), record.unknown_error);
  parse_inner(fields.object("times"), fields_of(result.times), record.unknown_times);
  result.workspace_bytes = fields.integer("workspace_bytes", 0);
}

}  // namespace

std::string_view print(RecordKind kind) {
  const auto number = static_cast<size_t>(kind);
  CHECK(number < kKinds.size(), "a RecordKind that is none of its values");
  return kKinds[number];
}

Result<RecordKind> parse_record_kind(std::string_view text) {
  const auto found = std::ranges::find(kKinds, text);
  if (found != kKinds.end()) return static_cast<RecordKind>(found - kKinds.begin());
  return fail("kind \"{}\" is unknown; expected sentinel or confirmation", text);
}

TrialKey trial_key(const Record& record) { return {record.campaign, record.task, record.trial}; }

std::string print(const Record& record) {
  JsonWriter writer;
  print_identity(writer, record);
  print_result(writer, record);
  write_fields(writer, search_fields(record));
  writer.unknown(record.unknown);
  return seal_line(std::move(writer).finish());
}

Result<Record> parse_record(std::string_view object, int schema) {
  Record record;
  auto fields = TRY(JsonFields::parse(TRY(migrate(std::string(object), schema))));
  parse_identity(fields, record);
  parse_result(fields, record);
  read_fields(fields, search_fields(record));
  record.unknown = fields.rest();
  TRY(fields.check());
  return record;
}

namespace {

std::optional<int64_t> positive_integer(std::string_view text) {
  const std::optional<int64_t> number = read_number<int64_t>(text);
  return number && *number >= 1 ? number : std::nullopt;
}

}  // namespace

std::string print(const RecordName& name) {
  std::string text = fmt::format("{}#{}.{}", name.log, name.campaign, name.trial);
  if (!name.task.empty()) text += "@" + name.task;
  return text;
}

Result<RecordName> parse_record_name(std::string_view text) {
  const auto wrong = [text] {
    return fail(
        "\"{}\" is not the name of a record; expected LOG#CAMPAIGN.TRIAL, as in "
        "tune.jsonl#1.17",
        text);
  };
  const size_t hash = text.rfind('#');
  if (hash == std::string_view::npos || hash == 0) return wrong();
  RecordName name;
  name.log = text.substr(0, hash);
  std::string_view numbers = text.substr(hash + 1);
  if (const size_t at = numbers.find('@'); at != std::string_view::npos) {
    name.task = numbers.substr(at + 1);
    if (name.task.empty()) return wrong();
    numbers = numbers.substr(0, at);
  }
  const size_t dot = numbers.find('.');
  if (dot == std::string_view::npos) return wrong();
  const auto campaign = positive_integer(numbers.substr(0, dot));
  const auto trial = positive_integer(numbers.substr(dot + 1));
  if (!campaign || !trial) return wrong();
  name.campaign = *campaign;
  name.trial = *trial;
  return name;
}

}  // namespace dovetail
