// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tuner: the campaign of one task: propose, apply, lower, predict, measure, record, learn.
//
//   Tuner tuner(task, parts, {.stop = {.max_trials = 300}}, hooks);
//   const TuneSummary summary = TRY(tuner.run());
//
// Or in slices, where tasks share a budget (search/scheduler.h):
//
//   TRY(tuner.tune(64, began_seconds));      // that many trials more
//   ...other tasks...
//   TRY(tuner.tune(64, began_seconds));
//   const TuneSummary summary = TRY(tuner.finish());
//
// Two rounds are in flight, each as large as the runner's capacity: while the device works on one,
// the next is already lowered and being built, and the one after it is proposed when the first is
// complete:
//
//   time  ->              propose 0, 1 | propose 2   | propose 3   | ...
//   the device works on                | round 0     | round 1     | round 2
//   the strategy has observed            nothing       round 0       rounds 0, 1
//
// A proposal thus depends on complete rounds only, consumed in trial order, never on which build
// was ready first: same seed and same results give the same trials, with any number of builders.
// Nor does it depend on limits or slices, which only limit how many of the proposals are measured:
// a round is proposed whole and just before its first trial is due. So a campaign resumes by
// running again from trial 1: the log answers for the trials that it has, and the others go to the
// device; with larger limits it continues likewise.
//
// Everything that reached a builder is a trial and is recorded, failures included; illegal and
// repeated proposals are only counted (`rejected`). Trial 1 is the default trace, so that a short
// campaign never ends below it. It is measured again along the way (the sentinel, which shows
// drift), and at the end beside the best few (find_finalists). An extended campaign ends again, and
// each ending measures the default trace, the best so far and the finalists in one sitting, of
// which the last decides (last_sittings).
//
// A limit in seconds bounds the end, too: only trials that fit are in flight, and the time that
// confirming the best is expected to take is kept for it, at most a quarter of the limit
// (search/confirmation_plan.h).

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/record/runner.h"
#include "search/confirmation_plan.h"
#include "search/history.h"
#include "search/progress.h"
#include "search/proposer.h"

namespace dovetail {

struct TuneTask {
  std::string name;  // for messages
  KeyedTask spec;
  Target target;
  Record prototype;             // shared by all its records: task, target, strategy, seed, campaign
  double began_seconds = 0;     // campaign time when this task's turn came
  double spent_seconds = 0;     // on this task, by earlier processes
  std::string cost_model = {};  // name, for records of its rounds; empty: rounds are not judged
};

struct TunerOptions {
  StopCondition stop;
  bool default_first = true;     // trial 1 is the default trace
  int64_t sentinel_every = 100;  // trials between two measurements of the sentinel
  size_t finalists = 5;          // measured again at the end, beside the default trace; 0: none
  bool notes_short_confirmations = true;  // in a line each; else they are only in the summary
  // A resumed campaign that had ended, and has no new limits: it only recalls what it confirmed.
  bool log_has_ended = false;
  int confirmation_passes = 3;  // over the finalists in turn, so that drift hits all of them
  int64_t fresh_rounds = 8;     // first rounds, on which the fresh model is judged, too
};

struct TunerHooks {
  ProgressListener progress = [](const Progress&) {};
  // True when the user wants to stop; asked before and after every result.
  std::function<bool()> interrupted = [] { return false; };
  // Seconds since the campaign began, over all of its tasks, as in records.
  std::function<double()> elapsed_seconds;
  // Seconds that the user has waited, where `elapsed_seconds` is no clock of this machine; not set:
  // it is one.
  std::function<double()> waited_seconds = {};
  // A one-line message to the user.
  std::function<void(const std::string& line)> note = [](const std::string&) {};
};

class Tuner {
 public:
  // All parts must outlive the tuner.
  struct Parts {
    Proposer& proposer;
    Strategy& strategy;
    CostModel& cost_model;
    Runner& runner;
    History& history;
    // With a warm start: a model without it that learns the same samples and ranks nothing. Judged
    // beside the other on the first rounds, it shows the warm start's gain or loss.
    CostModel* fresh_model = nullptr;
  };
  Tuner(TuneTask task, Parts parts, TunerOptions options, TunerHooks hooks);

  // Fails if the log cannot be written or has trials that this campaign would not propose, or if
  // the strategy cannot continue.
  Result<TuneSummary> run();

  // Runs at most `trials` more, and waits for all of them, so that the runner is free for other
  // tasks. Errors are as for run(). `began_seconds`: campaign time at the last result of any task,
  // so that other tasks' time does not count against this one's limit.
  Result<void> tune(int64_t trials, double began_seconds);
  // Confirms the best and returns the summary. Confirming takes about `confirming_seconds` at most;
  // without it, the task's own limit applies.
  Result<TuneSummary> finish(std::optional<double> confirming_seconds = {});
  // Expected time for confirming the best so far.
  double expected_confirming_seconds() const;
  // Ends the campaign here, for an interrupt or a lost device: nothing is confirmed.
  void abandon(StopReason reason) { stop_ = reason; }

  const Progress& progress() const { return progress_; }
  // Set once a limit is met or the campaign cannot continue.
  std::optional<StopReason> stopped() const { return stop_; }
  // By an interrupt or a lost device.
  bool is_abandoned() const;
  // Campaign time at this task's last result.
  double last_elapsed_seconds() const;

 private:
  // One measurement in flight, answered by the log (`earlier`) or by the runner.
  struct Pending {
    RecordKind kind = RecordKind::trial;
    int64_t trial = 0;
    Proposal proposal;
    std::optional<Record> earlier = {};
    bool is_recalled() const { return earlier.has_value(); }
  };
  struct Round {
    std::vector<Pending> pending = {};  // each sentinel after its trial
    size_t unproposed = 0;              // candidates still to be proposed
    size_t submitted = 0;               // length of the submitted prefix of `pending`
    std::vector<Record> results = {};   // results of the front of that prefix
    bool is_submitted() const { return unproposed == 0 && submitted == pending.size(); }
    bool is_complete() const { return is_submitted() && results.size() == submitted; }
  };

  Result<void> tune_rounds();
  Result<bool> submit_next();
  Result<bool> open_round();
  Result<void> propose(Round& round);
  Result<void> submit(Round& round);
  std::optional<Pending> sentinel_due(int64_t trial) const;
  MeasureInput measure_input(const Pending& pending) const;
  void score_by_fresh_model(std::vector<Proposal>& proposals) const;
  void charge_learning(std::vector<Proposal>& proposals);
  Result<void> finish_submitted(Round& round);
  Result<void> finish_next(Round& round);
  Result<void> finish_in_flight();
  Result<void> learn_oldest_round();
  Result<void> learn(std::span<const Pending* const> trials,
                     std::span<const Record* const> results);
  Result<std::optional<Record>> finish(const Pending& pending);
  Record make_record(const Pending& pending, MeasureResult result) const;
  void count(const Record& record);
  void notice_lost_device(const MeasureResult& result);
  bool stop_if_interrupted();

  bool has_time_for_more() const;

  Result<void> confirm(double most_seconds);
  double confirming_seconds() const;
  Result<std::vector<Pending>> pending_confirmations(const std::vector<Record>& finalists);
  Result<bool> confirm_all(const std::vector<Pending>& finalists, const ConfirmationPlan& plan,
                           bool may_default_win, double most_seconds);
  // Pass and finalist of each measurement.
  static std::vector<std::pair<int, size_t>> order_of_sitting(const std::vector<Pending>& finalists,
                                                              const ConfirmationPlan& plan);
  std::vector<std::vector<MeasureResult>> measure_in_turn(const std::vector<Pending>& finalists,
                                                          const ConfirmationPlan& plan,
                                                          double most_seconds);
  void say_what_is_confirmed(size_t finalists, const ConfirmationPlan& plan, double most_seconds);
  void report(Phase phase, std::optional<double> remaining_seconds = {});
  std::optional<double> remaining_by_pace() const;
  void reserve_confirming();

  TuneTask task_;
  Parts parts_;
  TunerOptions options_;
  TunerHooks hooks_;

  std::deque<Round> rounds_;  // not learnt from yet, oldest first
  bool starved_ = false;      // no proposals left until the strategy learns from the oldest round
  int64_t proposed_ = 0;      // trials so far
  int64_t submitted_ = 0;     // trials so far, sent to the runner or recalled
  int64_t slice_end_ = 0;     // limit of submitted_ in this slice
  std::optional<StopReason> stop_;
  std::string device_error_;
  Progress progress_;
  int64_t trials_since_best_ = 0;
  int64_t rounds_started_ = 0;
  int64_t rounds_finished_ = 0;
  double training_seconds_ = 0;   // since the last proposals; charged to the next ones
  double observing_seconds_ = 0;  // likewise
  int64_t measured_here_ = 0;     // by this process, not recalled from the log
  double first_submit_seconds_ = 0, first_submit_waited_ = 0;
  Confirming confirming_ = Confirming::whole;
  double reserved_seconds_ = 0;  // kept for confirming, under a limit in seconds
  int lost_in_a_row_ = 0;
};

}  // namespace dovetail
