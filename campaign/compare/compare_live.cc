// SPDX-License-Identifier: Apache-2.0
// `compare` on a device: a campaign for each workload, strategy and seed, in turn, each with its
// own log in the folder; existing logs are not measured again. Then all traces that they found are
// timed in one sitting.
#include <algorithm>
#include <filesystem>
#include <ranges>

#include "campaign/compare/compare_again.h"
#include "campaign/compare/compare_options.h"
#include "campaign/compare/small_spaces.h"
#include "campaign/tune/campaign.h"
#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "core/record/log/log.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSeeds = 5;
constexpr int64_t kTrials = 200;

// A name for a file: letters, digits and -_.=, are kept, other characters become "_".
std::string file_name(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ||
                       c == '.' || c == '=' || c == ',';
    text += plain ? c : '_';
  }
  return text;
}

TuneOptions options_of(const CompareOptions& options, const Arm& arm) {
  TuneOptions tune;
  tune.target = options.target;
  tune.strategy = print(arm.strategy);
  tune.variant = arm.variant;
  tune.layout = arm.layout;
  tune.cost_model = arm.cost_model;
  return tune;
}

struct LiveTask {
  std::string name;
  std::string spec;
};

class LiveRuns {
 public:
  LiveRuns(const CompareOptions& options, const std::vector<Arm>& arms, std::vector<LiveTask> tasks,
           const Listener& listener)
      : options_(options), arms_(arms), tasks_(std::move(tasks)), listener_(listener) {
    trials_ = options.trials.value_or(kTrials);
    seeds_ = options.seeds.value_or(kSeeds);
  }

  // Seed by seed and workload by workload, strategies take turns, so that drift affects all of
  // them; the first one rotates with the seed.
  Result<RunsToCompare> run() const {
    note_small_spaces(TRY(budgets()), listener_);
    const size_t all = static_cast<size_t>(seeds_) * tasks_.size() * arms_.size();
    size_t done = 0, measured = 0;
    for (size_t seed = 0; seed < static_cast<size_t>(seeds_); ++seed) {
      for (const LiveTask& task : tasks_) {
        for (size_t k = 0; k < arms_.size(); ++k) {
          const Arm& arm = arms_[(k + seed) % arms_.size()];
          const uint64_t number = options_.seed + seed;
          ++done;
          if (is_complete(task, arm, number)) continue;
          report(task, arm, number, done, all, measured);
          const Ending ending = TRY(run_one(task, arm, number));
          if (ending != Ending::done) return RunsToCompare{.input = {}, .ending = ending};
          ++measured;
        }
      }
    }
    return judge();
  }

 private:
  Result<std::vector<BudgetOnSpace>> budgets() const {
    std::vector<BudgetOnSpace> budgets;
    for (const LiveTask& task : tasks_) {
      const CampaignPlan plan = TRY(plan_campaign(campaign(task, arms_[0], options_.seed)));
      for (const TaskSpace& space : plan.spaces)
        budgets.push_back({task.name, static_cast<double>(trials_), space.space.count()});
    }
    return budgets;
  }

  fs::path folder() const { return fs::path(options_.folder) / "logs"; }
  std::string log_of(const LiveTask& task, const Arm& arm, uint64_t seed) const {
    const std::string file = fmt::format("{}-{}.jsonl", file_name(arm.name), seed);
    return (folder() / file_name(task.name) / file).string();
  }

  bool is_complete(const LiveTask& task, const Arm& arm, uint64_t seed) const {
    const std::string path = log_of(task, arm, seed);
    if (std::error_code absent; !fs::exists(path, absent)) return false;
    const Result<Log> log = read_log(path);
    if (!log) return false;
    // A campaign writes its confirmations last.
    return std::ranges::count(log->records, RecordKind::trial, &Record::kind) == trials_ &&
           !log->records.empty() && log->records.back().kind == RecordKind::confirmation;
  }

  TuneOptions campaign(const LiveTask& task, const Arm& arm, uint64_t seed) const {
    TuneOptions tune = options_of(options_, arm);
    tune.workloads = {task.spec};
    tune.trials = trials_;
    tune.seed = seed;
    tune.no_default = options_.no_default;
    tune.log = log_of(task, arm, seed);
    tune.resume = true;
    return tune;
  }

  ComparisonInput without_runs() const {
    ComparisonInput input;
    input.about = about_comparison(options_, seeds_);
    input.about.kind = "live";
    input.about.score_is = "share_of_best";
    input.about.target = options_.target;
    input.about.again = options_.again;
    for (const Arm& arm : arms_) {
      input.arms.push_back({.name = arm.name,
                            .strategy = print(arm.strategy),
                            .cost_model = arm.cost_model,
                            .variant = arm.layout.empty()
                                           ? arm.variant
                                           : fmt::format("{}={}", arm.variant, arm.layout),
                            .runs = {}});
    }
    return input;
  }

  // Judges by times measured in one sitting.
  Result<RunsToCompare> judge() const {
    RunsToCompare outcome{.input = without_runs()};
    for (const LiveTask& task : tasks_) {
      const CampaignPlan plan = TRY(plan_campaign(campaign(task, arms_[0], options_.seed)));
      const fs::path file = fs::path(options_.folder) / "again" / (file_name(task.name) + ".jsonl");
      const std::vector<std::vector<Log>> logs = TRY(logs_of(task));
      const std::optional<SecondsByTrace> seconds = TRY(measure_again({.plan = plan,
                                                                       .traces = best_traces(logs),
                                                                       .passes = options_.again,
                                                                       .log = file.string()},
                                                                      listener_));
      if (!seconds) return RunsToCompare{.input = {}, .ending = Ending::interrupted};
      if (seconds->empty()) return fail("{}: no strategy found a valid candidate", task.name);
      for (size_t a = 0; a < arms_.size(); ++a) {
        std::vector<RunToCompare>& runs = outcome.input.arms[a].runs.emplace_back();
        for (const Log& log : logs[a]) runs.push_back(run_of(log, *seconds));
      }
      outcome.input.spaces.push_back(
          {.about = {.name = task.name,
                     .spec = task.spec,
                     .target = options_.target,
                     .source = folder().string(),
                     .tool = tool_name(),
                     .optimum_seconds = std::ranges::min(*seconds | std::views::values),
                     .trials = trials_},
           .statistics = {}});
    }
    return outcome;
  }

  Result<Ending> run_one(const LiveTask& task, const Arm& arm, uint64_t seed) const {
    const TuneOptions tune = campaign(task, arm, seed);
    const CampaignPlan plan = TRY(plan_campaign(tune));
    std::error_code error;
    fs::create_directories(fs::path(tune.log).parent_path(), error);
    if (error) return fail("cannot make a folder for {}: {}", tune.log, error.message());
    const CampaignResult result = TRY(run_campaign(plan, listener_));
    if (result.interrupted) return Ending::interrupted;
    if (result.device_error.empty()) return Ending::done;
    listener_.note("the device was lost: " + result.device_error);
    return Ending::device_lost;
  }

  void report(const LiveTask& task, const Arm& arm, uint64_t seed, size_t number, size_t all,
              size_t measured) const {
    std::string left = "unknown";
    if (measured > 0) {
      const double each = watch_.seconds() / static_cast<double>(measured);
      left = fmt::format("{:.0f} min", each * static_cast<double>(all - number + 1) / 60);
    }
    listener_.note(fmt::format("campaign {} of {}: {} by {}, seed {}; time left: {}", number, all,
                               task.name, arm.name, seed, left));
  }

  // By strategy, then by seed.
  Result<std::vector<std::vector<Log>>> logs_of(const LiveTask& task) const {
    std::vector<std::vector<Log>> logs(arms_.size());
    for (size_t a = 0; a < arms_.size(); ++a)
      for (uint64_t k = 0; k < static_cast<uint64_t>(seeds_); ++k)
        logs[a].push_back(TRY(read_log(log_of(task, arms_[a], options_.seed + k))));
    return logs;
  }

  // Collects the best-so-far traces of all runs of a workload, each once.
  static std::vector<std::string> best_traces(const std::vector<std::vector<Log>>& logs) {
    std::vector<std::string> traces;
    for (const std::vector<Log>& arm : logs) {
      for (const Log& log : arm) {
        for (std::string& trace : best_so_far_traces(log.records))
          if (std::ranges::find(traces, trace) == traces.end()) traces.push_back(std::move(trace));
      }
    }
    return traces;
  }

  static RunToCompare run_of(const Log& log, const SecondsByTrace& seconds) {
    RunToCompare run{.evaluations = judged_evaluations(log.records, seconds)};
    for (const Record& record : log.records) {
      if (record.kind != RecordKind::trial) continue;
      run.rejected = record.rejected;
      run.search_seconds += record.result.times.search_seconds;
      run.model_seconds += record.result.times.model_seconds;
    }
    return run;
  }

  const CompareOptions& options_;
  const std::vector<Arm>& arms_;
  std::vector<LiveTask> tasks_;
  const Listener& listener_;
  int64_t trials_ = 0, seeds_ = 0;
  Stopwatch watch_;
};

// All of the input is checked before the first campaign.
Result<std::vector<LiveTask>> tasks_of(const CompareOptions& options,
                                       const std::vector<Arm>& arms) {
  if (options.workloads.empty())
    return fail("compare: no WORKLOAD given, and no --simulate; see dovetail compare --help");
  if (std::ranges::any_of(arms, &Arm::warm))
    return fail("compare: @warm is for --simulate; `tune` has --warm-start");
  std::vector<LiveTask> tasks;
  for (const Arm& arm : arms) {
    TuneOptions tune = options_of(options, arm);
    tune.workloads = options.workloads;
    tune.shapes = options.shapes;
    tune.constants = options.constants;
    const CampaignPlan plan = TRY(plan_campaign(tune));
    if (!tasks.empty()) continue;
    for (const TaskSpace& space : plan.spaces)
      tasks.push_back({space.task.name, space.task.spec.text});
  }
  return tasks;
}

}  // namespace

Result<RunsToCompare> runs_on_device(const CompareOptions& options, const std::vector<Arm>& arms,
                                     const Listener& listener) {
  return LiveRuns(options, arms, TRY(tasks_of(options, arms)), listener).run();
}

}  // namespace dovetail
