// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/record/export/export.h"
#include "core/record/line/json_fields.h"

namespace dovetail {
namespace {

constexpr const char* kColumns =
    "log,campaign,id,kind,trial,task,target,device,status,seconds,samples,fastest_seconds,"
    "max_abs_error,max_rel_error,build_seconds,run_seconds,check_seconds,search_seconds,"
    "model_seconds,workspace_bytes,strategy,seed,rejected,elapsed_seconds,default,cold,reason,"
    "trace";

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::string cell(int64_t value) { return std::to_string(value); }
std::string cell(uint64_t value) { return std::to_string(value); }
std::string cell(double value) {
  const std::string text = json_real(value);  // the shortest that reads back; inf and nan in quotes
  return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

std::string line_of(const Log& log, const LogHeader& header, const Record& record) {
  const MeasureResult& result = record.result;
  const MeasureTimes& times = result.times;
  const bool is_timed = !result.samples.empty();
  const std::vector<std::string> cells = {
      cell(log.path),
      cell(record.campaign),
      cell(header.id),
      cell(std::string(print(record.kind))),
      cell(record.trial),
      cell(record.task),
      cell(record.target),
      cell(header.device.name),
      cell(std::string(print(result.status))),
      is_timed ? cell(result.seconds) : "",
      cell(int64_t(result.samples.size())),
      is_timed ? cell(*std::ranges::min_element(result.samples)) : "",
      cell(result.max_abs_error),
      cell(result.max_rel_error),
      cell(times.build_seconds),
      cell(times.run_seconds),
      cell(times.check_seconds),
      cell(times.search_seconds),
      cell(times.model_seconds),
      cell(result.workspace_bytes),
      cell(record.strategy),
      cell(record.seed),
      cell(record.rejected),
      cell(record.elapsed_seconds),
      record.is_default ? "1" : "0",
      record.cold ? "1" : "0",
      cell(result.reason),
      cell(record.trace)};
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

}  // namespace

std::string export_csv(const std::vector<Log>& logs) {
  std::string text = fmt::format("{}\r\n", kColumns);
  for (const Log& log : logs) {
    for (const Record& record : log.records) {
      text += line_of(log, *log.header_of(record.campaign), record);
    }
  }
  return text;
}

}  // namespace dovetail
