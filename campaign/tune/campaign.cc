// SPDX-License-Identifier: Apache-2.0
#include "campaign/tune/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "campaign/model_tasks/placed_tasks.h"
#include "campaign/network/network_variants.h"
#include "campaign/tune/campaign_device.h"
#include "campaign/tune/task_candidates.h"
#include "campaign/tune/task_notes.h"
#include "campaign/tune/total_limits.h"
#include "core/base/files.h"
#include "core/base/stopwatch.h"
#include "core/ir/region/work.h"
#include "core/record/log/log.h"
#include "costmodel/cost_models.h"
#include "measure/reference/long_reference.h"
#include "measure/runner/local_runner.h"
#include "search/scheduler.h"
#include "search/task_search.h"

namespace dovetail {
namespace {

// Moves the task's lines out of the log's, so that a resumed campaign holds each of them once, and
// only until it is recalled.
template <typename Line>
std::vector<Line> take_lines_of(const std::string& spec, std::vector<Line>& lines) {
  const auto first = std::stable_partition(lines.begin(), lines.end(),
                                           [&](const Line& line) { return line.task != spec; });
  std::vector<Line> taken(std::make_move_iterator(first), std::make_move_iterator(lines.end()));
  lines.erase(first, lines.end());
  lines.shrink_to_fit();
  return taken;
}

// Seconds spent on each task in the log: a record takes the time since the one before, of any task.
std::map<std::string, double> spent_seconds(const std::vector<Record>& records) {
  std::map<std::string, double> spent;
  double before = 0;
  for (const Record& record : records) {
    spent[record.task] += std::max(record.elapsed_seconds - before, 0.0);
    before = std::max(before, record.elapsed_seconds);
  }
  return spent;
}

class CampaignRun {
 public:
  CampaignRun(const CampaignPlan& plan, OpenedLog log, CampaignDevice& device,
              const Listener& listener)
      : options_(plan.options),
        plan_(plan),
        log_(std::move(log)),
        device_(device),
        listener_(listener),
        agent_(plan.agent),
        spent_seconds_(spent_seconds(log_.records)),
        limits_(plan.options, plan.spaces.size()),
        began_here_(device.seconds()) {
    if (log_.extended) limits_.extend(began_here_);
    std::map<std::string, std::vector<Record>> known;
    for (Record& record : std::exchange(log_.known, {}))
      if (adds_tasks(plan_)) known[record.task].push_back(std::move(record));
    for (const TaskSpace& space : plan.spaces) {
      spaces_.push_back(space);
      keep_trials(space, known[space.task.spec.text]);
    }
  }

  Result<CampaignResult> run() {
    CampaignResult result;
    for (const std::string& note : plan_.workloads.notes) listener_.note(note);
    for (const LogWarning& warning : log_.warnings)
      listener_.note(print(warning, log_.writer.path()));
    limits_.allow(adds_tasks(plan_) ? kShareOfRegions : 1);
    TRY(tune_from(0, result));
    if (adds_tasks(plan_) && !result.interrupted && result.device_error.empty()) {
      const size_t placed = spaces_.size();
      TRY(place(result));
      limits_.allow(1);
      TRY(tune_from(placed, result));
    }
    TRY(log_.writer.sync());
    for (const std::string& note : notes_on_shares(plan_, spaces_, result.tasks))
      listener_.note(note);
    if (!result.interrupted && result.device_error.empty())
      if (const std::string left = note_on_left_tasks(log_.records, log_.writer.header().layers);
          !left.empty())
        listener_.note(left);
    if (!result.interrupted) result.save_error = save();
    if (device_.recalled() > 0)
      listener_.note(fmt::format("{} trials were known from earlier campaigns of the log",
                                 device_.recalled()));
    result.wall_seconds = device_.seconds();
    if (!result.interrupted) result.machine = TRY(limits());
    TRY(log_.writer.sync());
    result.campaign = log_.writer.header().campaign;
    return result;
  }

 private:
  // The share of a common budget that goes to the regions; the rest is for the placed tasks.
  static constexpr double kShareOfRegions = 0.875;

  // Deterministic in a resumed campaign: the log then has all of the regions' records.
  Result<void> place(CampaignResult& result) {
    const TraceOfTask otherwise = default_traces(plan_.target, allowed_by(plan_.accuracy.rule));
    const auto best = [&](const KeyedTask& task) -> Result<Trace> {
      const auto found = result.tasks.find(task.text);
      if (found == result.tasks.end() || !found->second.best) return otherwise(task);
      return found->second.best->record.trace.value();
    };
    // Chooses as `run` will: from everything that the log has now.
    const TracesOfTask traces = [&](const KeyedTask& task) -> Result<std::vector<TimedTrace>> {
      std::vector<const Record*> records;
      for (const Record& record : fast_trials_[task.text]) records.push_back(&record);
      return timed_traces(task, plan_.target, std::move(records), plan_.caches, TRY(best(task)),
                          TRY(otherwise(task)), SlowerTraces::few, allowed_by(plan_.accuracy.rule));
    };
    Workloads placed = TRY(placed_tasks(plan_.workloads, plan_.target, traces));
    if (placed.tasks.empty()) return {};
    TRY(name_late(placed.tasks));
    Result<std::vector<TaskSpace>> spaces =
        build_spaces(placed, plan_.target, variant_of(options_), allowed_by(plan_.accuracy.rule));
    for (const std::string& note : placed.notes) listener_.note(note);
    if (!spaces) return {};  // none of them has a space: noted above
    for (TaskSpace& space : *spaces) spaces_.push_back(std::move(space));
    result.placed = std::move(placed.tasks);
    return {};
  }

  // Tasks that layouts add get names of their own, which the header has from here on.
  Result<void> name_late(std::vector<Task>& tasks) {
    LogHeader header = log_.writer.header();
    const size_t named = header.layers.size();
    add_late_names(tasks, header.layers);
    if (header.layers.size() == named) return {};
    return log_.writer.append(std::move(header));
  }

  // The machine's rates, which the header keeps: a resumed campaign that has measured nothing since
  // does not measure them either.
  Result<Machine> limits() {
    LogHeader header = log_.writer.header();
    const bool is_known = header.machine && !header.machine->levels.empty();
    if (is_known && !has_measured_) return *header.machine;
    Machine machine = device_.measure_limits(plan_.target, regions());
    if (!machine.peak_gflops) return machine;
    header.machine = machine;
    TRY(log_.writer.append(std::move(header)));
    return machine;
  }

  void keep_trials(const TaskSpace& space, std::span<const Record> records) {
    if (!adds_tasks(plan_)) return;
    std::vector<Record>& kept = fast_trials_[space.task.spec.text];
    kept.insert(kept.end(), records.begin(), records.end());
    kept = fast_trials(std::move(kept), space.task.spec, allowed_by(plan_.accuracy.rule));
  }

  Result<void> tune_from(size_t first, CampaignResult& result) {
    return options_.schedule == "gradient" ? tune_by_gradient(first, result)
                                           : tune_in_turn(first, result);
  }

  Result<void> tune_in_turn(size_t first, CampaignResult& result) {
    for (size_t i = first; i < spaces_.size(); ++i) {
      TaskSearch run = TRY(start(i));
      TRY(run.tuner->tune(trials_of_a_task(options_), last_elapsed_));
      TRY(finish(i, run, result, std::nullopt));
      if (result.interrupted || !result.device_error.empty()) break;
    }
    return {};
  }

  // Each task's first slice measures its default trace. The next ones go to the task by which the
  // workload's time is expected to fall most with each trial.
  Result<void> tune_by_gradient(size_t first, CampaignResult& result) {
    std::vector<TaskSearch> runs;
    for (size_t i = first; i < spaces_.size(); ++i) runs.push_back(TRY(start(i)));
    if (runs.empty()) return {};
    TaskScheduler scheduler(scheduled_tasks(first, result));
    std::optional<StopReason> abandoned;
    while (!abandoned && limits_.trials_left() > 0) {
      if (is_past_log()) last_elapsed_ = std::max(last_elapsed_, device_.seconds());
      const double left = limits_.seconds_left(last_elapsed_, runs);
      std::optional<size_t> next = left > 0 ? scheduler.next() : std::nullopt;
      if (!next) break;
      if (const auto logged = limits_.to_recall(runs, *next)) next = logged;
      Tuner& tuner = *runs[*next].tuner;
      const int64_t before = tuner.progress().trials;
      const TotalLimits::NextSlice slice{.slices = scheduler.slices(*next),
                                         .seconds_left = left,
                                         .last_elapsed = last_elapsed_,
                                         .logged_trials = runs[*next].history->unrecalled_trials()};
      TRY(tuner.tune(limits_.slice_trials(slice), last_elapsed_));
      last_elapsed_ = std::max(last_elapsed_, tuner.last_elapsed_seconds());
      const int64_t trials = tuner.progress().trials - before;
      limits_.spend(trials);
      const std::optional<StopReason> stopped = tuner.stopped();
      scheduler.report(*next, {.trials = trials, .best_seconds = tuner.progress().best_seconds},
                       stopped.has_value());
      if (stopped == StopReason::interrupted || stopped == StopReason::device_lost)
        abandoned = stopped;
    }
    // Trials that took longer than they were expected to leave the best its time all the same.
    const double until =
        has_measured_
            ? std::max(limits_.max_seconds(), device_.seconds() + limits_.reserved_seconds(runs))
            : limits_.max_seconds();
    for (size_t i = 0; i < runs.size(); ++i) {
      const bool has_trials = runs[i].tuner->progress().trials > 0;
      if (abandoned && !has_trials && !runs[i].tuner->is_abandoned()) continue;
      if (abandoned) runs[i].tuner->abandon(*abandoned);
      show(first + i, runs[i].tuner->progress());  // the listener may still show the task before
      TRY(finish(
          first + i, runs[i], result,
          limits_.confirming_seconds(std::span(runs).subspan(i), until - device_.seconds())));
      if (runs[i].tuner->is_abandoned()) abandoned = runs[i].tuner->stopped();
    }
    return {};
  }

  // Confirming takes `confirming_seconds` at most; none: by the task's own limit.
  Result<void> finish(size_t index, TaskSearch& run, CampaignResult& result,
                      std::optional<double> confirming_seconds) {
    const bool has_had_enough = run.tuner->stopped().has_value();
    TuneSummary summary = TRY(run.tuner->finish(confirming_seconds));
    if (shares_budget() && !has_had_enough && !run.tuner->is_abandoned())
      summary.stop = StopReason::budget;
    if (!options_.save_model.empty()) dovetail::append(learnt_, run.cost_model->learnt());
    if (!options_.save_agent.empty())
      agent_ = std::make_shared<const SavedAgent>(run.strategy->learnt().value());
    listener_.task_done();
    keep_trials(spaces_[index], run.history->trials());
    last_elapsed_ = std::max(last_elapsed_, run.tuner->last_elapsed_seconds());
    for (const std::string& note : notes_on(spaces_[index], plan_, summary)) listener_.note(note);
    result.interrupted |= summary.stop == StopReason::interrupted;
    if (!summary.device_error.empty()) result.device_error = summary.device_error;
    result.tasks.emplace(spaces_[index].task.spec.text, summary);
    return {};
  }

  Result<TaskSearch> start(size_t index) {
    const TaskSpace& task = spaces_[index];
    const auto note = long_reference_note(task.task.spec.region);
    if (note && !device_.is_simulated()) listener_.note(*note);
    // Made first, as it reads the log's records, which take_earlier_records() moves out.
    CandidateSources candidates = candidates_of(task, plan_, log_.records);
    History history(take_earlier_records(task.task.spec.text),
                    [this](const Record& record) { return append(record); });
    history.write_rounds(take_lines_of(task.task.spec.text, log_.rounds),
                         [this](const RoundRecord& round) { return log_.writer.append(round); });
    return start_task_search({.task = tune_task_of(task),
                              .space = task.space,
                              .strategy = plan_.strategy,
                              .cost_model = options_.cost_model,
                              .seed = options_.seed,
                              .warm_start = plan_.warm_start.get(),
                              .judge_warm_start = plan_.warm_start != nullptr,
                              .agent = agent_.get(),
                              .candidates = std::move(candidates),
                              .tuner = tuner_options()},
                             device_.runner(), std::move(history), hooks(index));
  }

  TaskTurn turn_of(size_t index) const {
    return {.number = index + 1,
            .count = spaces_.size(),
            .nominal_flops = nominal_flops(spaces_[index].task.spec.region),
            .peak_gflops = {},
            .is_from_logs = device_.is_simulated(),
            .shared = {}};
  }

  std::vector<ScheduledTask> scheduled_tasks(size_t first, const CampaignResult& result) const {
    const std::vector<Task>& all = first == 0 ? plan_.workloads.tasks : result.placed;
    std::vector<ScheduledTask> tasks;
    for (size_t i = first; i < spaces_.size(); ++i) {
      const TaskSpace& space = spaces_[i];
      ScheduledTask task{.weight = 0,
                         .nominal_flops = nominal_flops(space.task.spec.region),
                         .kind = space.task.spec.text.substr(0, space.task.spec.text.find(':'))};
      for (const Task& asked : all)
        if (asked.spec.text == space.task.spec.text)
          task.weight += static_cast<double>(asked.weight);
      tasks.push_back(std::move(task));
    }
    return tasks;
  }

  bool shares_budget() const { return options_.schedule == "gradient"; }

  // All trials of a resumed campaign's log are there again, and no new one.
  bool is_past_log() const {
    return trials_recalled_ > 0 && limits_.spent_trials() >= trials_recalled_ && !has_measured_;
  }

  // Returns the error as text: a failed save must not hide the kernels that were found.
  std::string save() const {
    const Result<void> model = save_model(), agent = save_agent();
    return !model ? model.error().message : !agent ? agent.error().message : "";
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
    prototype.task = task.task.spec.text;
    prototype.target = print(plan_.target.name);
    prototype.caches = plan_.caches;
    prototype.strategy = print(plan_.strategy);
    prototype.seed = options_.seed;
    return {.name = task.task.name,
            .spec = task.task.spec,
            .target = plan_.target,
            .prototype = std::move(prototype),
            .began_seconds = last_elapsed_,
            .spent_seconds = spent_on(task.task.spec.text),
            .cost_model = options_.cost_model == "none" ? "" : options_.cost_model};
  }

  double spent_on(const std::string& spec) const {
    const auto found = spent_seconds_.find(spec);
    return found == spent_seconds_.end() ? 0 : found->second;
  }

  std::vector<Region> regions() const {
    std::vector<Region> regions;
    for (const TaskSpace& task : spaces_) regions.push_back(task.task.spec.region);
    return regions;
  }

  TunerOptions tuner_options() const {
    return {.stop = {.max_trials = trials_of_a_task(options_),
                     .max_seconds = options_.seconds,
                     .patience = options_.patience},
            .default_first = !options_.no_default,
            .finalists = static_cast<size_t>(options_.finalists),
            .notes_short_confirmations = !options_.total_seconds,
            .log_has_ended = log_.resumed && log_.writer.header().machine.has_value(),
            // Logs have no fresh samples: asking again gives the same.
            .confirmation_passes = plan_.results ? 1 : 3};
  }

  TunerHooks hooks(size_t index) {
    return {.progress = [this, index](const Progress& progress) { show(index, progress); },
            .interrupted = listener_.interrupted,
            .elapsed_seconds = [this] { return device_.seconds(); },
            .waited_seconds = [this] { return waited_.seconds(); },
            .note = listener_.note};
  }

  // Estimates what is left of a shared budget, at the pace since this process began.
  std::optional<double> remaining_seconds_of_all() const {
    std::optional<double> limit;
    if (options_.total_seconds) {
      const double of_device = device_.seconds() - began_here_;
      const bool is_slower = device_.is_simulated() && of_device > 0;
      limit = std::max(*options_.total_seconds - device_.seconds(), 0.0) *
              (is_slower ? waited_.seconds() / of_device : 1);
    }
    if (!options_.total_trials) return limit;
    return estimate_remaining_seconds(trials_here_, waited_.seconds(),
                                      *options_.total_trials - trials_recalled_ - trials_here_,
                                      limit);
  }

  void show(size_t index, const Progress& progress) {
    TaskTurn turn = turn_of(index);
    const bool has_product = !spaces_[index].task.spec.region.anchor.empty();
    if (has_product && device_.peak_gflops() > 0) turn.peak_gflops = device_.peak_gflops();
    Progress shown = progress;
    if (shares_budget()) {
      shown.remaining_seconds = remaining_seconds_of_all();
      shown_[index] = progress.trials;
      int64_t trials = 0;
      for (const auto& [task, shown_trials] : shown_) trials += shown_trials;
      turn.shared = SharedBudget{.trials = trials,
                                 .max_trials = options_.total_trials,
                                 .seconds = device_.seconds(),
                                 .max_seconds = options_.total_seconds};
    }
    listener_.progress(turn, shown);
    for (const std::string& warning : device_.take_warnings())
      listener_.note("warning: " + warning);
  }

  std::vector<Record> take_earlier_records(const std::string& spec) {
    std::vector<Record> records = take_lines_of(spec, log_.records);
    trials_recalled_ += std::ranges::count(records, RecordKind::trial, &Record::kind);
    return records;
  }

  Result<void> append(const Record& record) {
    trials_here_ += record.kind == RecordKind::trial;
    has_measured_ = true;
    return log_.writer.append(record);
  }

  const TuneOptions& options_;
  const CampaignPlan& plan_;
  std::deque<TaskSpace> spaces_;  // the plan's, then the placed tasks'
  OpenedLog log_;
  CampaignDevice& device_;
  const Listener& listener_;
  TrainingRows learnt_;                          // collected from all tasks' cost models
  std::shared_ptr<const SavedAgent> agent_;      // that the next task starts from; null: none
  double last_elapsed_ = 0;                      // latest elapsed time among all tasks' results
  std::map<std::string, double> spent_seconds_;  // per spec, by earlier processes
  // Per spec, of earlier campaigns too: those that a choice of layouts may take.
  std::map<std::string, std::vector<Record>> fast_trials_;
  TotalLimits limits_;
  std::map<size_t, int64_t> shown_;  // trials of each task, as the listener last heard
  int64_t trials_recalled_ = 0;      // found in the log
  int64_t trials_here_ = 0;          // measured by this process
  bool has_measured_ = false;        // this process has
  double began_here_;
  Stopwatch waited_;  // since this process began
};

// A new log without a record would only refuse the command that was meant.
void remove_without_records(const std::string& path) {
  const Result<Log> log = read_log(path);
  std::error_code ignored;
  if (log && log->records.empty()) std::filesystem::remove(path, ignored);
}

}  // namespace

Result<CampaignResult> run_campaign(const CampaignPlan& plan, const Listener& listener) {
  MeasureOptions measure;
  measure.caches = plan.caches;
  measure.worker_path = plan.worker_path;
  measure.max_error = plan.accuracy.rule->max_error();
  measure.own_inputs = plan.accuracy.own_inputs;
  std::unique_ptr<LocalRunner> here;
  if (!plan.results) here = TRY(make_local_runner(plan.target, measure));
  const bool is_new = !std::filesystem::exists(plan.options.log);
  OpenedLog log = TRY(open_for_tune(plan.options.log, mode_of(plan.options), header_of(plan)));
  CampaignDevice device(plan, std::move(here), log.records, log.known);
  Result<CampaignResult> result = CampaignRun(plan, std::move(log), device, listener).run();
  if (!result && is_new) remove_without_records(plan.options.log);
  return result;
}

}  // namespace dovetail
