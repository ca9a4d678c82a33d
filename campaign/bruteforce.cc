// SPDX-License-Identifier: Apache-2.0
#include "campaign/bruteforce.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <vector>

#include "campaign/tune/campaign.h"
#include "campaign/tune/task_results.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/record/log/log.h"
#include "search/compare/fewest_trials.h"
#include "search/compare/score.h"
#include "search/compare/simulate/space_from_records.h"
#include "search/compare/simulate/stored_space.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMeasuredAgain = 50;  // best candidates, at the end

// A campaign that measures every point in order, and resumes the folder's log if there is one.
TuneOptions exhaustive_campaign(const BruteforceOptions& options) {
  TuneOptions tune;
  tune.workloads = {options.spec};
  tune.target = options.target;
  tune.strategy = "exhaustive";
  tune.cost_model = "none";
  tune.space = options.space;
  tune.points = options.points;
  tune.finalists = kMeasuredAgain;
  tune.log = (fs::path(options.folder) / "log.jsonl").string();
  tune.resume = true;
  return tune;
}

Result<CampaignPlan> plan_all_points(const BruteforceOptions& options) {
  CampaignPlan plan = TRY(plan_campaign(exhaustive_campaign(options)));
  if (plan.spaces.size() != 1)
    return fail("bruteforce: {} is {} tasks, expected one spec", options.spec, plan.spaces.size());
  // An upper bound: ETAs are computed from it, and --resume compares it.
  plan.options.trials = static_cast<int64_t>(plan.spaces[0].space.count());
  return plan;
}

// The campaigns of a log; a file that cannot be read is refused where it is opened.
std::vector<LogHeader> campaigns_of(const std::string& path) {
  std::vector<LogHeader> headers;
  const auto may_be_header = [](std::string_view line) {
    return line.find("\"schema\"") != std::string_view::npos;
  };
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return headers;
  std::ignore = scan_log(path, may_be_header, [&](LogLine& line) -> Result<void> {
    if (LogHeader* header = std::get_if<LogHeader>(&line.content))
      headers.push_back(std::move(*header));
    return {};
  });
  return headers;
}

std::string points_of(const LogHeader& header) {
  const auto found = header.options.find("points");
  return found == header.options.end() ? "" : print(found->second);
}

// "--points 200": what `header` has and `other` has not, as the command line spells it.
std::string own_words(const LogHeader& header, const LogHeader& other) {
  std::vector<std::string> words;
  if (tasks_of(header.options) != tasks_of(other.options))
    for (const std::string& spec : tasks_of(header.options)) words.push_back(shell_word(spec));
  if (header.target != other.target) words.push_back("--target " + shell_word(header.target));
  if (points_of(header) != points_of(other)) words.push_back("--points " + points_of(header));
  return fmt::format("{}", fmt::join(words, " "));
}

// The folder's campaign must be the one that was asked. (Opening its log would refuse others, too,
// with advice on options of `tune`.)
Result<void> check_same_campaign(const BruteforceOptions& options, const CampaignPlan& plan) {
  const std::vector<LogHeader> campaigns = campaigns_of(plan.options.log);
  const LogHeader asked = header_of(plan);
  const auto is_asked = [&](const LogHeader& held) { return differences(held, asked).empty(); };
  if (campaigns.empty() || std::ranges::any_of(campaigns, is_asked)) return {};
  const LogHeader& held = campaigns.back();
  LogHeader as_held = asked;
  as_held.target = held.target;
  for (const char* name : {"tasks", "points"})
    if (held.options.contains(name)) as_held.options[name] = held.options.at(name);
  if (!differences(held, as_held).empty())
    return fail("bruteforce: -o {} holds another campaign: {}; give another -o", options.folder,
                fmt::join(differences(held, asked), "; "));
  const std::string words = own_words(held, asked);
  return fail("bruteforce: -o {} holds {}, and {} is asked; give {}, or another -o", options.folder,
              words, own_words(asked, held), words);
}

size_t count_layouts(const std::vector<Record>& records) {
  std::set<std::string> layouts;
  for (const Record& record : records) {
    Result<Trace> trace = parse_trace(record.trace.text());
    if (record.kind != RecordKind::trial || !trace) continue;
    trace->loops.clear();
    layouts.insert(print(*trace));
  }
  return layouts.size();
}

Result<MeasuredSpace> space_of(const CampaignPlan& plan, const Log& log) {
  MeasuredSpace space = TRY(space_from_records(plan.spaces[0].space, log.records));
  store_space(plan.spaces[0].space, space);
  space.target = print(plan.target.name);
  space.space = plan.options.space;
  space.tool = tool_name();
  space.device = print(plan.target);
  space.most_points = plan.options.points;
  return space;
}

void summarize(const MeasuredSpace& space, BruteforceResult& result) {
  result.spec = space.task;
  result.points = space.points.size();
  for (const PointResult& point : space.points) {
    if (point.status != Status::ok) continue;
    result.best_seconds =
        result.valid == 0 ? point.seconds : std::min(result.best_seconds, point.seconds);
    ++result.valid;
  }
}

// A space may be measured for other ends than `compare`; it is said here, since more points cost
// another measurement of all.
void note_if_unscorable(const MeasuredSpace& space, const Listener& listener) {
  const std::vector<Evaluation> points = evaluations_of(space);
  const BudgetOptions budget = ScoreOptions().budget;
  const Result<int64_t> fewest = fewest_trials({.points = points,
                                                .trials = std::ssize(points),
                                                .cutoff_start = budget.cutoff_start,
                                                .cutoff_end = budget.cutoff_end});
  if (fewest) return;
  listener.note(fmt::format("{}: `compare` cannot score this space: {}; expected more --points",
                            space.task, fewest.error().message));
}

}  // namespace

Result<BruteforceResult> bruteforce(const BruteforceOptions& options, const Listener& listener) {
  if (options.space != "reduced")
    return fail("bruteforce: unknown --space '{}'; expected reduced", options.space);
  const CampaignPlan plan = TRY(plan_all_points(options));
  TRY(check_same_campaign(options, plan));
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) return fail("cannot make {}: {}", options.folder, error.message());
  const CampaignResult campaign = TRY(run_campaign(plan, listener));
  BruteforceResult result;
  result.log = plan.options.log;
  result.device_error = campaign.device_error;
  if (!campaign.device_error.empty()) result.ending = Ending::device_lost;
  if (campaign.interrupted) result.ending = Ending::interrupted;
  for (const auto& [spec, summary] : campaign.tasks) result.saved += summary.stats.trials;
  result.was_confirming = was_confirming(campaign);
  if (result.ending != Ending::done) return result;
  const Log log = TRY(read_log(result.log));
  const MeasuredSpace space = TRY(space_of(plan, log));
  result.file = (fs::path(options.folder) / "space.json.gz").string();
  TRY(write_measured_space(result.file, space));
  summarize(space, result);
  result.layouts = count_layouts(log.records);
  note_if_unscorable(space, listener);
  return result;
}

}  // namespace dovetail
