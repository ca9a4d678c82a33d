// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <concepts>

#include "core/base/csv.h"
#include "core/record/export/export.h"
#include "core/record/line/json_fields.h"

namespace dovetail {
namespace {

constexpr const char* kColumns =
    "log,campaign,id,kind,trial,task,target,device,status,seconds,samples,fastest_seconds,"
    "max_abs_error,max_rel_error,build_seconds,run_seconds,check_seconds,search_seconds,"
    "model_seconds,workspace_bytes,strategy,seed,rejected,elapsed_seconds,default,caches,reason,"
    "trace";

std::string cell(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n' || c == '\\') line += '\\';
    line += c == '\n' ? 'n' : c;
  }
  return csv_cell(line);
}

std::string cell(std::integral auto value) { return fmt::format("{:d}", value); }
std::string cell(double value) {
  const std::string text = json_real(value);  // shortest that reads back; inf and nan in quotes
  return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

template <typename... Values>
std::string line_with(const Values&... values) {
  const std::vector<std::string> cells = {cell(values)...};
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

// In the order of kColumns.
std::string line_of(const Log& log, const LogHeader& header, const Record& record) {
  const MeasureResult& result = record.result;
  const MeasureTimes& times = result.times;
  const bool is_timed = !result.samples.empty();
  const std::string seconds = is_timed ? cell(result.seconds) : "";
  const std::string fastest = is_timed ? cell(std::ranges::min(result.samples)) : "";
  return line_with(log.path, record.campaign, header.id, print(record.kind), record.trial,
                   record.task, record.target, header.device.name, print(result.status), seconds,
                   result.samples.size(), fastest, result.max_abs_error, result.max_rel_error,
                   times.build_seconds, times.run_seconds, times.check_seconds,
                   times.search_seconds, times.model_seconds, result.workspace_bytes,
                   record.strategy, record.seed, record.rejected, record.elapsed_seconds,
                   record.is_default, print(record.caches), result.reason, record.trace.text());
}

}  // namespace

std::string export_csv(const std::vector<Log>& logs) {
  std::string text = fmt::format("{}\r\n", kColumns);
  for (const Log& log : logs)
    for (const Record& record : log.records)
      text += line_of(log, *log.header_of(record.campaign), record);
  return text;
}

}  // namespace dovetail
