// SPDX-License-Identifier: Apache-2.0
#include "report/data/machine_facts.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/fail.h"
#include "core/base/statistics.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> number(const Json& row, const char* first, const char* second) {
  for (const char* name : {first, second}) {
    const auto at = row.find(name);
    if (at != row.end() && at->is_number() && at->get<double>() > 0) return at->get<double>();
  }
  return std::nullopt;
}

// Each engine once: all variants of a run name the same times.
void add_engines(const Json& row, MachineFacts& facts) {
  const auto peers = row.find("peers");
  const std::string model =
      row.contains("name") && row["name"].is_string()
          ? std::filesystem::path(row["name"].get<std::string>()).filename().string()
          : "";
  if (peers == row.end() || !peers->is_object()) return;
  for (const auto& [engine, seconds] : peers->items()) {
    if (!seconds.is_number() || !(seconds.get<double>() > 0)) continue;
    std::erase_if(facts.engines, [&](const EngineTime& known) {
      return known.engine == engine && known.model == model;
    });
    facts.engines.push_back({.model = model, .engine = engine, .seconds = seconds.get<double>()});
  }
}

}  // namespace

Result<void> add_machine_facts(std::string_view json, const std::string& path,
                               MachineFacts& facts) {
  const Json parsed = Json::parse(json, nullptr, false);
  const char* list = parsed.is_object() && parsed.contains("rows") ? "rows" : "tasks";
  if (!parsed.is_object() || !parsed.contains(list) || !parsed[list].is_array()) {
    return fail(
        "--results {}: expected what tune --json, bench --json or run --json printed, with tasks "
        "or rows",
        path);
  }
  std::vector<double> peaks;
  for (const Json& row : parsed[list]) {
    if (row.is_object() && row.contains("variant")) add_engines(row, facts);
    if (!row.is_object() || !row.contains("spec") || !row["spec"].is_string()) continue;
    const auto spec = row["spec"].get<std::string>();
    if (row.contains("name") && row["name"].is_string())
      facts.names[spec] = row["name"].get<std::string>();
    const auto seconds = number(row, "seconds", "best_seconds");
    const auto gflops = number(row, "gflops", "best_gflops");
    const auto of_peak = number(row, "percent_of_peak", "percent_of_peak");
    const auto of_roof = number(row, "percent_of_roof", "percent_of_roof");
    if (seconds && of_roof) facts.roof_seconds[spec] = *seconds * *of_roof / 100;
    if (gflops && of_peak) peaks.push_back(*gflops / *of_peak * 100);
  }
  if (!peaks.empty()) facts.peak_gflops = median(peaks);
  return {};
}

std::string MachineFacts::name_of(const std::string& spec) const {
  const auto at = names.find(spec);
  return at == names.end() ? spec : at->second;
}

std::optional<double> MachineFacts::percent_of_roof(const std::string& spec, double seconds) const {
  const auto at = roof_seconds.find(spec);
  if (at == roof_seconds.end()) return std::nullopt;
  return 100 * at->second / seconds;
}

}  // namespace dovetail
