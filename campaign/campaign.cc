// SPDX-License-Identifier: Apache-2.0
#include "campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "campaign/campaign_device.h"
#include "campaign/interrupt.h"
#include "campaign/progress_bar.h"
#include "core/base/files.h"
#include "core/base/stopwatch.h"
#include "costmodel/cost_models.h"
#include "search/drafted_candidates.h"
#include "search/scheduler.h"
#include "search/trace_set.h"

namespace dovetail {
namespace {

LogMode mode_of(const TuneOptions& options) {
  if (options.resume) return LogMode::resume;
  return options.append ? LogMode::append : LogMode::fresh;
}

// Taken out of the log's, so that a resumed campaign holds each of them once, and only until it is
// recalled.
template <typename Line>
std::vector<Line> take_lines_of(const std::string& spec, std::vector<Line>& lines) {
  const auto first = std::stable_partition(lines.begin(), lines.end(),
                                           [&](const Line& line) { return line.task != spec; });
  std::vector<Line> taken(std::make_move_iterator(first), std::make_move_iterator(lines.end()));
  lines.erase(first, lines.end());
  lines.shrink_to_fit();
  return taken;
}

constexpr int64_t kSliceTrials = 64;  // of a shared budget, until the scheduler is asked again

// What tunes one task, and what that stands on.
struct TaskRun {
  std::unique_ptr<CostModel> cost_model;
  std::unique_ptr<CostModel> fresh_model;  // null without a warm start
  std::unique_ptr<DraftedCandidates> drafted;
  std::unique_ptr<ModelScorer> scorer;
  std::unique_ptr<CostModel> draft_model;  // the analytic one
  std::unique_ptr<ModelScorer> draft;
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<Proposer> proposer;
  std::unique_ptr<History> history;
  std::unique_ptr<Tuner> tuner;
};

class CampaignRun {
 public:
  CampaignRun(const TuneOptions& options, const CampaignPlan& plan, OpenedLog log,
              CampaignDevice& device)
      : options_(options),
        plan_(plan),
        log_(std::move(log)),
        device_(device),
        bar_(stderr),
        agent_(plan.agent) {
    device_.continue_after(plan_, log_.records);
    began_here_ = device_.seconds();
  }

  Result<CampaignResult> run() {
    CampaignResult result;
    for (const std::string& note : plan_.workloads.notes) bar_.note("dovetail: " + note);
    for (const LogWarning& warning : log_.warnings) {
      bar_.note("dovetail: " + print(warning, log_.writer.path()));
    }
    TRY(options_.schedule == "gradient" ? tune_by_gradient(result) : tune_in_turn(result));
    TRY(log_.writer.sync());
    if (!result.interrupted) TRY(save_model());
    if (!result.interrupted) TRY(save_agent());
    result.wall_seconds = device_.seconds();
    if (!result.interrupted) result.machine = device_.measure_limits(plan_.target, operators());
    result.campaign = log_.writer.header().campaign;
    return result;
  }

 private:
  Result<void> tune_in_turn(CampaignResult& result) {
    for (size_t i = 0; i < plan_.spaces.size(); ++i) {
      TaskRun run = TRY(make_run(i));
      bar_.begin(bar_task(i));
      TRY(run.tuner->tune(options_.trials, last_elapsed_));
      TRY(finish(i, run, result));
      if (result.interrupted || !result.device_error.empty()) break;
    }
    return {};
  }

  // Slices of the budget go where the workload's time is expected to fall most.
  Result<void> tune_by_gradient(CampaignResult& result) {
    std::vector<TaskRun> runs;
    for (size_t i = 0; i < plan_.spaces.size(); ++i) runs.push_back(TRY(make_run(i)));
    TaskScheduler scheduler(scheduled_tasks());
    std::optional<StopReason> abandoned;
    while (!abandoned && trials_left() > 0 && seconds_left() > 0) {
      const std::optional<size_t> next = scheduler.next();
      if (!next) break;
      Tuner& tuner = *runs[*next].tuner;
      bar_.change(bar_task(*next));
      const int64_t before = tuner.progress().trials;
      TRY(tuner.tune(std::min(kSliceTrials, trials_left()), last_elapsed_));
      last_elapsed_ = std::max(last_elapsed_, tuner.last_elapsed_seconds());
      trials_done_ += tuner.progress().trials - before;
      const std::optional<StopReason> stopped = tuner.stopped();
      scheduler.report(*next, tuner.progress().best_seconds, stopped.has_value());
      if (stopped == StopReason::interrupted || stopped == StopReason::device_lost) {
        abandoned = stopped;
      }
    }
    for (size_t i = 0; i < runs.size(); ++i) {
      if (abandoned && runs[i].tuner->progress().trials == 0) continue;
      if (abandoned) runs[i].tuner->abandon(*abandoned);
      bar_.change(bar_task(i));
      bar_.update(runs[i].tuner->progress());  // of this task, not of the one before
      TRY(finish(i, runs[i], result));
    }
    return {};
  }

  Result<void> finish(size_t index, TaskRun& run, CampaignResult& result) {
    const TuneSummary summary = TRY(run.tuner->finish());
    if (!options_.save_model.empty()) dovetail::append(learnt_, run.cost_model->learnt());
    if (!options_.save_agent.empty())
      agent_ = std::make_shared<const SavedAgent>(run.strategy->learnt().value());
    bar_.end();
    last_elapsed_ = std::max(last_elapsed_, run.tuner->last_elapsed_seconds());
    explain(plan_.spaces[index], summary);
    result.interrupted |= summary.stop == StopReason::interrupted;
    if (!summary.device_error.empty()) result.device_error = summary.device_error;
    result.tasks.emplace(plan_.spaces[index].spec, summary);
    return {};
  }

  Result<TaskRun> make_run(size_t index) {
    const TaskSpace& task = plan_.spaces[index];
    TaskRun run;
    run.cost_model = TRY(make_cost_model(
        options_.cost_model,
        {.target = plan_.target, .seed = options_.seed, .warm_start = plan_.warm_start.get()}));
    run.drafted = std::make_unique<DraftedCandidates>(by_lowering(task.space));
    run.scorer = std::make_unique<ModelScorer>(run.drafted->keeping(), *run.cost_model, 0);
    run.draft_model = TRY(make_cost_model("roofline", {.target = plan_.target}));
    run.draft = std::make_unique<ModelScorer>(run.drafted->keeping(), *run.draft_model, 0);
    Scorer* const used = options_.cost_model == "none" ? nullptr : run.scorer.get();
    run.strategy = TRY(make_strategy(plan_.strategy, {.space = task.space,
                                                      .seed = options_.seed,
                                                      .scorer = used,
                                                      .draft = run.draft.get(),
                                                      .agent = agent_.get()}));
    run.fresh_model = TRY(fresh_cost_model());
    run.proposer = std::make_unique<Proposer>(task.space, *run.strategy, *run.cost_model, used,
                                              make_candidate(task, *run.drafted));
    run.history = std::make_unique<History>(
        take_earlier_records(task.spec), [this](const Record& record) { return append(record); });
    run.history->write_rounds(
        take_lines_of(task.spec, log_.rounds),
        [this](const RoundRecord& round) { return log_.writer.append(round); });
    run.tuner =
        std::make_unique<Tuner>(tune_task_of(task),
                                Tuner::Parts{*run.proposer, *run.strategy, *run.cost_model,
                                             device_.runner(), *run.history, run.fresh_model.get()},
                                tuner_options(), hooks());
    return run;
  }

  BarTask bar_task(size_t index) const {
    return {.number = index + 1,
            .count = plan_.spaces.size(),
            .nominal_flops = nominal_flops(plan_.spaces[index].task.op),
            .peak_gflops = {},
            .shares_budget = options_.schedule == "gradient"};
  }

  std::vector<ScheduledTask> scheduled_tasks() const {
    std::vector<ScheduledTask> tasks;
    for (const TaskSpace& space : plan_.spaces) {
      ScheduledTask task{.weight = 0,
                         .nominal_flops = nominal_flops(space.task.op),
                         .kind = space.spec.substr(0, space.spec.find(':'))};
      for (const Task& asked : plan_.workloads.tasks) {
        if (print(asked.op) == space.spec) task.weight += static_cast<double>(asked.weight);
      }
      tasks.push_back(std::move(task));
    }
    return tasks;
  }

  int64_t trials_left() const {
    return options_.total_trials.value_or(std::numeric_limits<int64_t>::max()) - trials_done_;
  }
  double seconds_left() const {
    return options_.total_seconds.value_or(std::numeric_limits<double>::infinity()) - last_elapsed_;
  }

  // Null without a warm start.
  Result<std::unique_ptr<CostModel>> fresh_cost_model() const {
    if (!plan_.warm_start) return std::unique_ptr<CostModel>();
    return make_cost_model(options_.cost_model, {.target = plan_.target, .seed = options_.seed});
  }

  Result<void> save_model() const {
    if (options_.save_model.empty()) return {};
    const SavedModel model = TRY(train_saved_model(learnt_, options_.seed, plan_.warm_start.get()));
    return replace_file(options_.save_model, print(model));
  }

  Result<void> save_agent() const {
    if (options_.save_agent.empty() || !agent_) return {};
    return replace_file(options_.save_agent, print(*agent_));
  }

  TuneTask tune_task_of(const TaskSpace& task) const {
    Record prototype;
    prototype.campaign = log_.writer.header().campaign;
    prototype.task = task.spec;
    prototype.target = print(plan_.target.name);
    prototype.cold = options_.cold;
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
  MakeCandidate make_candidate(const TaskSpace& task, DraftedCandidates& drafted) const {
    const MakeCandidate lower = [&drafted, &task](const KeyedTrace& trace) -> Result<Candidate> {
      if (std::optional<Candidate> known = drafted.take(trace)) return std::move(*known);
      return materialize(task.task.op, task.space.target(), trace);
    };
    const bool needs_program = options_.cost_model != "none";
    if (plan_.results) {
      return [&results = *plan_.results, &task, needs_program,
              lower](const KeyedTrace& trace) -> Result<Candidate> {
        TRY(results.check(task.spec, trace));
        return needs_program ? lower(trace) : Candidate{.trace = trace, .program = {}};
      };
    }
    if (needs_program || log_.records.empty()) return lower;
    return
        [earlier = earlier_traces(task.spec), lower](const KeyedTrace& trace) -> Result<Candidate> {
          if (earlier.contains(trace.key)) return Candidate{.trace = trace, .program = {}};
          return lower(trace);
        };
  }

  TraceSet earlier_traces(const std::string& spec) const {
    TraceSet traces;
    for (const Record& record : log_.records) {
      if (record.task != spec || record.kind != RecordKind::trial) continue;
      if (const Result<Trace> trace = parse_trace(record.trace)) traces.insert(hash(*trace));
    }
    return traces;
  }

  TunerHooks hooks() {
    return {.progress = [this](const Progress& progress) { show(progress); },
            .interrupted = interrupted,
            .elapsed_seconds = [this] { return device_.seconds(); }};
  }

  // Of a shared budget, since this process began.
  std::optional<double> remaining_seconds_of_all() const {
    std::optional<double> limit;
    if (options_.total_seconds) limit = *options_.total_seconds - device_.seconds();
    if (!options_.total_trials) return limit;
    return estimate_remaining_seconds(trials_here_, device_.seconds() - began_here_,
                                      *options_.total_trials - trials_recalled_ - trials_here_,
                                      limit);
  }

  void show(const Progress& progress) {
    bar_.set_peak_gflops(device_.peak_gflops());
    Progress shown = progress;
    if (options_.schedule == "gradient") shown.remaining_seconds = remaining_seconds_of_all();
    bar_.update(shown);
    for (const std::string& warning : device_.take_warnings()) {
      bar_.note("dovetail: warning: " + warning);
    }
  }

  std::vector<Record> take_earlier_records(const std::string& spec) {
    std::vector<Record> records = take_lines_of(spec, log_.records);
    trials_recalled_ += std::ranges::count(records, RecordKind::trial, &Record::kind);
    return records;
  }

  Result<void> append(const Record& record) {
    trials_here_ += record.kind == RecordKind::trial;
    return log_.writer.append(record);
  }

  void explain(const TaskSpace& task, const TuneSummary& summary) {
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
  TrainingRows learnt_;                      // by the cost models of all tasks
  std::shared_ptr<const SavedAgent> agent_;  // what the next task begins with; null: none
  double last_elapsed_ = 0;                  // of the results so far, of all tasks
  int64_t trials_done_ = 0;                  // of a shared budget
  int64_t trials_recalled_ = 0;              // that the log had
  int64_t trials_here_ = 0;                  // by this process
  double began_here_ = 0;
};

}  // namespace

Result<CampaignResult> run_campaign(const TuneOptions& options, const CampaignPlan& plan) {
  CampaignDevice device = TRY(CampaignDevice::start(options, plan));
  OpenedLog log = TRY(open_for_tune(options.log, mode_of(options), plan.header));
  return CampaignRun(options, plan, std::move(log), device).run();
}

}  // namespace dovetail
