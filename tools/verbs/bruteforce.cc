// SPDX-License-Identifier: Apache-2.0
// The verb `bruteforce`: measures every point of a reduced space and keeps them as one file, for
// comparing strategies without the device.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "campaign/campaign.h"
#include "campaign/interrupt.h"
#include "core/record/log/log.h"
#include "report/tables/table.h"
#include "search/compare/simulate/space_from_records.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr int64_t kMeasuredAgain = 50;  // of the best

// Every point in order, into a log in the folder that is continued when there is one.
TuneOptions campaign_options(const BruteforceOptions& options) {
  TuneOptions tune;
  tune.workloads = {options.spec};
  tune.target = options.target;
  tune.strategy = "exhaustive";
  tune.cost_model = "none";
  tune.space = options.space;
  tune.points = options.points;
  tune.finalists = kMeasuredAgain;
  tune.log = (std::filesystem::path(options.folder) / "log.jsonl").string();
  tune.resume = true;
  return tune;
}

// Layouts that differ, algorithms told apart.
size_t count_layouts(const std::vector<Record>& records) {
  std::set<std::string> layouts;
  for (const Record& record : records) {
    Result<Trace> trace = parse_trace(record.trace);
    if (record.kind != RecordKind::trial || !trace) continue;
    trace->loops.clear();
    layouts.insert(print(*trace));
  }
  return layouts.size();
}

void print_result(const BruteforceOptions& options, const MeasuredSpace& space, size_t layouts,
                  const std::string& file) {
  size_t valid = 0;
  double best_seconds = 0;
  for (const PointResult& point : space.points) {
    if (point.status != Status::ok) continue;
    best_seconds = valid == 0 ? point.seconds : std::min(best_seconds, point.seconds);
    ++valid;
  }
  if (options.json) {
    const nlohmann::ordered_json json{
        {"spec", space.task}, {"points", space.points.size()}, {"layouts", layouts},
        {"valid", valid},     {"best_seconds", best_seconds},  {"file", file}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  Table table({{"spec", Align::left},
               {"points"},
               {"layouts"},
               {"valid"},
               {"best (us)"},
               {"file", Align::left}});
  table.add_row({space.task, fmt::format("{}", space.points.size()), fmt::format("{}", layouts),
                 fmt::format("{}", valid), microseconds(best_seconds), file});
  std::fputs(print(table).c_str(), stdout);
}

}  // namespace

Result<ExitCode> run_bruteforce(const BruteforceOptions& options) {
  catch_interrupts();
  TuneOptions tune = campaign_options(options);
  CampaignPlan plan = TRY(plan_campaign(tune));
  if (plan.spaces.size() != 1)
    return fail(fmt::format("bruteforce: {} is {} tasks, expected one spec", options.spec,
                            plan.spaces.size()));
  // At most: what ETAs are of, and a resumed campaign is told by.
  tune.trials = static_cast<int64_t>(plan.spaces[0].space.count());
  plan.header.options["trials"] = tune.trials;
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) return fail(fmt::format("cannot make {}: {}", options.folder, error.message()));
  const CampaignResult result = TRY(run_campaign(tune, plan));
  if (result.interrupted || !result.device_error.empty()) {
    std::fprintf(stderr, "dovetail: %s; everything measured is in %s; the same command goes on\n",
                 result.interrupted ? "interrupted" : result.device_error.c_str(),
                 tune.log.c_str());
    return result.interrupted ? ExitCode::interrupted : ExitCode::device_failure;
  }
  const Log log = TRY(read_log(tune.log));
  MeasuredSpace space = TRY(space_from_records(plan.spaces[0].space, log.records));
  space.target = print(plan.target.name);
  space.space = options.space;
  space.tool = plan.header.tool;
  space.device = print(plan.target);
  space.most_points = options.points;
  const std::string file = (std::filesystem::path(options.folder) / "space.json.gz").string();
  TRY(write_measured_space(file, space));
  print_result(options, space, count_layouts(log.records), file);
  const bool any_valid = std::ranges::any_of(
      space.points, [](const PointResult& point) { return point.status == Status::ok; });
  return any_valid ? ExitCode::done : ExitCode::no_candidate;
}

}  // namespace dovetail
