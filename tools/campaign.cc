// SPDX-License-Identifier: Apache-2.0
#include "tools/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <unordered_set>

#include "core/record/device_facets.h"
#include "costmodel/cost_models.h"
#include "primitives/space/reduced_space.h"
#include "search/compare/log_runner.h"
#include "search/stopwatch.h"
#include "tools/files.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"
#include "tools/resolve_target.h"

namespace dovetail {
namespace {

// Everything that decides what the campaign does, and nothing else: --resume compares these.
Options deciding_options(const TuneOptions& options, const std::vector<TaskSpace>& spaces) {
  std::vector<std::string> specs;
  for (const TaskSpace& space : spaces) specs.push_back(space.spec);
  Options decide{{"tasks", specs},
                 {"trials", options.trials},
                 {"strategy", options.strategy},
                 {"variant", options.variant},
                 {"cost_model", options.cost_model},
                 {"no_default", options.no_default}};
  if (!options.layout.empty()) decide["layout"] = options.layout;
  if (!options.warm_start.empty()) decide["warm_start"] = options.warm_start;
  if (options.space != "whole") {
    decide["space"] = options.space;
    decide["points"] = options.points;
  }
  if (options.seconds) decide["seconds"] = *options.seconds;
  if (options.patience) decide["patience"] = *options.patience;
  if (!options.results_from.empty()) decide["results_from"] = options.results_from;
  return decide;
}

LogHeader header_of(const TuneOptions& options, const CampaignPlan& plan) {
  LogHeader header;
  header.tool = "dovetail " DOVETAIL_VERSION;
  header.target = print(plan.target.name);
  header.device = facets_of(plan.target);
  header.driver = plan.target.driver;
  header.options = deciding_options(options, plan.spaces);
  header.options["strategy"] = print(plan.strategy);
  header.seed = options.seed;
  header.experiment = options.experiment;
  return header;
}

LogMode mode_of(const TuneOptions& options) {
  if (options.resume) return LogMode::resume;
  return options.append ? LogMode::append : LogMode::fresh;
}

// Seconds of a campaign over all the processes that worked on it.
class CampaignClock {
 public:
  explicit CampaignClock(const std::vector<Record>& earlier) {
    for (const Record& record : earlier) before_ = std::max(before_, record.elapsed_seconds);
  }
  double seconds() const { return before_ + watch_.seconds(); }
  double before() const { return before_; }

 private:
  double before_ = 0;
  Stopwatch watch_;
};

// What measures: a device of this machine and its clock, or logs and a simulated one.
class CampaignDevice {
 public:
  static Result<CampaignDevice> start(const CampaignPlan& plan) {
    CampaignDevice device;
    if (!plan.results) device.local_ = TRY(make_runner(plan.target));
    return device;
  }
  void continue_after(const CampaignPlan& plan, const std::vector<Record>& earlier) {
    clock_.emplace(earlier);
    if (plan.results) simulated_.emplace(*plan.results, clock_->before());
  }

  Runner& runner() { return local_ ? static_cast<Runner&>(*local_) : *simulated_; }
  double seconds() const { return simulated_ ? simulated_->seconds() : clock_->seconds(); }
  double peak_gflops() const { return local_ ? local_->peak_gflops() : 0; }
  std::vector<std::string> take_warnings() {
    return local_ ? local_->take_warnings() : std::vector<std::string>();
  }
  // Nothing is known of a device that is not here.
  Machine measure_limits(const Target& target, const std::vector<Operator>& ops) const {
    return local_ ? measure_machine(target, local_->peak_gflops(), ops) : Machine();
  }

 private:
  std::unique_ptr<LocalRunner> local_;
  std::optional<CampaignClock> clock_;
  std::optional<LogRunner> simulated_;
};

class CampaignRun {
 public:
  CampaignRun(const TuneOptions& options, const CampaignPlan& plan, OpenedLog log,
              CampaignDevice& device)
      : options_(options), plan_(plan), log_(std::move(log)), device_(device), bar_(stderr) {
    device_.continue_after(plan_, log_.records);
  }

  Result<CampaignResult> run() {
    CampaignResult result;
    for (const std::string& note : plan_.workloads.notes) bar_.note("dovetail: " + note);
    for (const LogWarning& warning : log_.warnings) {
      bar_.note("dovetail: " + print(warning, log_.writer.path()));
    }
    for (size_t i = 0; i < plan_.spaces.size() && !result.interrupted; ++i) {
      const TuneSummary summary = TRY(tune_task(i));
      bar_.end();
      explain(plan_.spaces[i], summary);
      result.interrupted = summary.stop == StopReason::interrupted;
      result.device_error = summary.device_error;
      result.tasks.emplace(plan_.spaces[i].spec, summary);
      if (summary.stop == StopReason::device_lost) break;
    }
    TRY(log_.writer.sync());
    if (!result.interrupted) TRY(save_model());
    result.wall_seconds = device_.seconds();
    if (!result.interrupted) result.machine = device_.measure_limits(plan_.target, operators());
    result.campaign = log_.writer.header().campaign;
    return result;
  }

 private:
  Result<TuneSummary> tune_task(size_t index) {
    const TaskSpace& task = plan_.spaces[index];
    const auto cost_model = TRY(make_cost_model(
        options_.cost_model,
        {.target = plan_.target, .seed = options_.seed, .warm_start = plan_.warm_start.get()}));
    ModelScorer scorer(task.space, *cost_model);
    Scorer* const used = options_.cost_model == "none" ? nullptr : &scorer;
    const auto strategy = TRY(make_strategy(plan_.strategy, {task.space, options_.seed, used}));
    const auto fresh_model = TRY(fresh_cost_model());
    Proposer proposer(task.space, *strategy, *cost_model, used, make_candidate(task));
    History history(earlier_records(task.spec),
                    [this](const Record& record) { return append(record); });
    history.write_rounds(earlier_rounds(task.spec),
                         [this](const RoundRecord& round) { return log_.writer.append(round); });
    bar_.begin({.number = index + 1,
                .count = plan_.spaces.size(),
                .nominal_flops = nominal_flops(task.task.op),
                .peak_gflops = {}});
    Tuner tuner(tune_task_of(task),
                {proposer, *strategy, *cost_model, device_.runner(), history, fresh_model.get()},
                tuner_options(), hooks());
    TuneSummary summary = TRY(tuner.run());
    dovetail::append(learnt_, cost_model->learnt());
    return summary;
  }

  // Null without a warm start.
  Result<std::unique_ptr<CostModel>> fresh_cost_model() const {
    if (!plan_.warm_start) return std::unique_ptr<CostModel>();
    return make_cost_model(options_.cost_model, {.target = plan_.target, .seed = options_.seed});
  }

  Result<void> save_model() const {
    if (options_.save_model.empty()) return {};
    const SavedModel model = TRY(train_saved_model(learnt_, options_.seed, plan_.warm_start.get()));
    return write_file(options_.save_model, print(model));
  }

  TuneTask tune_task_of(const TaskSpace& task) const {
    Record prototype;
    prototype.campaign = log_.writer.header().campaign;
    prototype.task = task.spec;
    prototype.target = print(plan_.target.name);
    prototype.strategy = print(plan_.strategy);
    prototype.seed = options_.seed;
    return {.name = task.task.name,
            .op = task.task.op,
            .target = plan_.target,
            .prototype = std::move(prototype),
            .began_seconds = last_elapsed_,
            .cost_model = options_.cost_model == "none" ? "" : options_.cost_model};
  }

  std::vector<Operator> operators() const {
    std::vector<Operator> ops;
    for (const TaskSpace& task : plan_.spaces) ops.push_back(task.task.op);
    return ops;
  }

  TunerOptions tuner_options() const {
    return {.stop = {.max_trials = options_.trials,
                     .max_seconds = options_.seconds,
                     .patience = options_.patience},
            .default_first = !options_.no_default,
            .finalists = static_cast<size_t>(options_.finalists),
            // Logs have no fresh samples: asking again gives the same.
            .confirmation_passes = plan_.results ? 1 : 3};
  }

  // Of what can be measured. What is measured already is not built again, so that without a cost
  // model nothing asks for its program: a campaign of 20,000 trials resumes in seconds.
  MakeCandidate make_candidate(const TaskSpace& task) const {
    const bool needs_program = options_.cost_model != "none";
    if (plan_.results) {
      return [&results = *plan_.results, &task, needs_program](const Trace& trace) {
        return recorded_candidate(results, task, trace, needs_program);
      };
    }
    if (needs_program || log_.records.empty()) return {};
    return [earlier = earlier_traces(task.spec), &task](const Trace& trace) -> Result<Candidate> {
      if (earlier.contains(hash(trace))) return Candidate{.trace = trace, .program = {}};
      return materialize(task.task.op, task.space.target(), trace);
    };
  }

  static Result<Candidate> recorded_candidate(const RecordedResults& results, const TaskSpace& task,
                                              const Trace& trace, bool needs_program) {
    TRY(results.check(task.spec, trace));
    if (!needs_program) return Candidate{.trace = trace, .program = {}};
    return materialize(task.task.op, task.space.target(), trace);
  }

  std::unordered_set<uint64_t> earlier_traces(const std::string& spec) const {
    std::unordered_set<uint64_t> hashes;
    for (const Record& record : log_.records) {
      if (record.task != spec || record.kind != RecordKind::trial) continue;
      if (const Result<Trace> trace = parse_trace(record.trace)) hashes.insert(hash(*trace));
    }
    return hashes;
  }

  TunerHooks hooks() {
    return {.progress = [this](const Progress& progress) { show(progress); },
            .interrupted = interrupted,
            .elapsed_seconds = [this] { return device_.seconds(); }};
  }

  void show(const Progress& progress) {
    bar_.set_peak_gflops(device_.peak_gflops());
    bar_.update(progress);
    for (const std::string& warning : device_.take_warnings()) {
      bar_.note("dovetail: warning: " + warning);
    }
  }

  std::vector<Record> earlier_records(const std::string& spec) {
    std::vector<Record> records;
    for (const Record& record : log_.records) {
      if (record.task != spec) continue;
      records.push_back(record);
      last_elapsed_after_ = std::max(last_elapsed_after_, record.elapsed_seconds);
    }
    return records;
  }

  std::vector<RoundRecord> earlier_rounds(const std::string& spec) const {
    std::vector<RoundRecord> rounds;
    std::ranges::copy_if(log_.rounds, std::back_inserter(rounds),
                         [&](const RoundRecord& round) { return round.task == spec; });
    return rounds;
  }

  Result<void> append(const Record& record) {
    last_elapsed_after_ = record.elapsed_seconds;
    return log_.writer.append(record);
  }

  void explain(const TaskSpace& task, const TuneSummary& summary) {
    last_elapsed_ = std::max(last_elapsed_, last_elapsed_after_);
    if (summary.stop == StopReason::exhausted) {
      const std::string what =
          plan_.results ? "nothing more of what is proposed is in " + plan_.results->source()
                        : "the space is exhausted";
      bar_.note(fmt::format("dovetail: {}: {} after {} trials", task.task.name, what,
                            summary.stats.trials));
    }
    if (summary.drift && std::abs(*summary.drift) > 0.05) {
      bar_.note(
          fmt::format("dovetail: {}: warning: the default trace's time moved by {:+.1f} % "
                      "during the campaign; other programs, or a changing clock",
                      task.task.name, 100 * *summary.drift));
    }
    if (summary.best || summary.stop == StopReason::interrupted) return;
    bar_.note(fmt::format("dovetail: {}: no valid candidate: {}", task.task.name, summary.failure));
  }

  const TuneOptions& options_;
  const CampaignPlan& plan_;
  OpenedLog log_;
  CampaignDevice& device_;
  ProgressBar bar_;
  TrainingRows learnt_;            // by the cost models of all tasks
  double last_elapsed_ = 0;        // of the tasks that are done
  double last_elapsed_after_ = 0;  // of all records so far
};

// Null without --warm-start.
Result<std::shared_ptr<const SavedModel>> read_warm_start(const std::string& path) {
  if (path.empty()) return std::shared_ptr<const SavedModel>();
  Result<SavedModel> model = parse_saved_model(TRY(read_file(path)));
  if (!model) return fail(fmt::format("{}: {}", path, model.error().message));
  return std::shared_ptr<const SavedModel>(std::make_shared<SavedModel>(std::move(*model)));
}

Result<void> check_cost_model(const TuneOptions& options, const SavedModel* warm_start) {
  TRY(make_cost_model(options.cost_model,
                      {.target = {}, .seed = options.seed, .warm_start = warm_start}));
  if (options.save_model.empty() || find_cost_model(options.cost_model)->learns) return {};
  return fail(fmt::format("--save-model: cost model {} learns nothing; use --cost-model xgboost",
                          options.cost_model));
}

// The header names the device that the results are of.
Result<void> take_results(const TuneOptions& options, CampaignPlan& plan) {
  std::vector<std::string> specs;
  for (const TaskSpace& task : plan.spaces) specs.push_back(task.spec);
  Result<ReadResults> read = read_results(options.results_from, print(plan.target.name), specs);
  if (!read) return fail("--results-from: " + read.error().message);
  for (const std::string& warning : read->warnings) plan.workloads.notes.push_back(warning);
  plan.header.device = read->header.device;
  plan.header.driver = read->header.driver;
  plan.results = std::move(read->results);
  return {};
}

Result<void> reduce_spaces(std::vector<TaskSpace>& spaces, int64_t points) {
  for (TaskSpace& task : spaces) task.space = TRY(reduced_space(task.space, at_most(points)));
  return {};
}

}  // namespace

Result<CampaignPlan> plan_campaign(const TuneOptions& options) {
  CampaignPlan plan;
  plan.strategy = TRY(parse_strategy(options.strategy));
  plan.warm_start = TRY(read_warm_start(options.warm_start));
  TRY(check_cost_model(options, plan.warm_start.get()));
  TRY(check_variant({options.variant, options.layout}));
  // Models are read in a forked child, so before a driver starts its threads.
  const std::string target_name = print(TRY(parse_target_name(options.target)));
  plan.workloads = TRY(read_workloads(options.workloads, target_name, options.shapes));
  plan.target = TRY(resolve_target(options.target));
  if (options.results_from.empty()) TRY(require_runnable(plan.target));
  plan.spaces = TRY(build_spaces(plan.workloads, plan.target, {options.variant, options.layout}));
  if (options.space == "reduced") TRY(reduce_spaces(plan.spaces, options.points));
  plan.header = header_of(options, plan);
  if (!options.results_from.empty()) TRY(take_results(options, plan));
  return plan;
}

Result<CampaignResult> run_campaign(const TuneOptions& options, const CampaignPlan& plan) {
  CampaignDevice device = TRY(CampaignDevice::start(plan));
  OpenedLog log = TRY(open_for_tune(options.log, mode_of(options), plan.header));
  return CampaignRun(options, plan, std::move(log), device).run();
}

}  // namespace dovetail
