// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/external_peers.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/ir/region/task_spec.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

Result<ExternalTime> time_of(const Json& row) {
  if (!row.is_object()) return fail("expected an object {spec, peer, seconds}");
  ExternalTime time;
  for (const auto& [field, into] : {std::pair{"spec", &time.spec}, {"peer", &time.peer}}) {
    if (!row.contains(field) || !row[field].is_string() || row[field].get<std::string>().empty())
      return fail("field {} is missing or no text", field);
    *into = row[field].get<std::string>();
  }
  if (!row.contains("seconds") || !row["seconds"].is_number())
    return fail("field seconds is missing or no number");
  time.seconds = row["seconds"].get<double>();
  if (!std::isfinite(time.seconds) || time.seconds <= 0)
    return fail("seconds is {}, expected a positive number", time.seconds);
  if (row.contains("algorithm") && row["algorithm"].is_string())
    time.algorithm = row["algorithm"].get<std::string>();
  time.spec = print(TRY(parse_task_spec(time.spec)));
  return time;
}

// The rows of a whole document, or of JSON lines.
Result<std::vector<Json>> rows_of(const std::string& text, const std::string& path) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_object() && document.contains("rows")) document = Json(document["rows"]);
  if (document.is_array()) return document.get<std::vector<Json>>();
  std::vector<Json> rows;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json row = Json::parse(line, nullptr, false);
    if (row.is_discarded()) return fail("{} line {}: no JSON", path, number);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<std::vector<ExternalTime>> parse_external_times(const std::string& text,
                                                       const std::string& path) {
  std::vector<ExternalTime> times;
  const std::vector<Json> rows = TRY(rows_of(text, path));
  for (size_t i = 0; i < rows.size(); ++i) {
    Result<ExternalTime> time = time_of(rows[i]);
    if (!time) return fail("{} row {}: {}", path, i + 1, time.error().message);
    times.push_back(*std::move(time));
  }
  if (times.empty()) return fail("{} has no rows {{spec, peer, seconds}}", path);
  return times;
}

Result<std::vector<ExternalTime>> read_external_times(const std::string& path) {
  return parse_external_times(TRY(read_file(path)), path);
}

}  // namespace dovetail
