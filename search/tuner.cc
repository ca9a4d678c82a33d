// SPDX-License-Identifier: Apache-2.0
#include "search/tuner.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr size_t kRoundsInFlight = 2;
// The least in flight, even while the time of one is unknown, so that one is built while another
// runs.
constexpr size_t kLeastInFlight = 2;
// After this many lost workers in a row, the device counts as lost.
constexpr int kLostUntilDeviceLost = 5;

}  // namespace

Tuner::Tuner(TuneTask task, Parts parts, TunerOptions options, TunerHooks hooks)
    : task_(std::move(task)), parts_(parts), options_(options), hooks_(std::move(hooks)) {
  progress_.task = task_.name;
  progress_.max_trials = options_.stop.max_trials;
}

Result<TuneSummary> Tuner::run() {
  TRY(tune(options_.stop.max_trials, task_.began_seconds));
  return finish();
}

Result<void> Tuner::tune(int64_t trials, double began_seconds) {
  task_.began_seconds += began_seconds - last_elapsed_seconds();
  // The log may have more trials than the current limit: they stay.
  const int64_t most =
      std::max(options_.stop.max_trials, submitted_ + parts_.history.unrecalled_trials());
  slice_end_ = submitted_ + std::min(trials, most - submitted_);
  Result<void> tuned = tune_rounds();
  // If the strategy fails, its earlier proposals are still measured and logged.
  if (!tuned) TRY(finish_in_flight());
  return tuned;
}

double Tuner::last_elapsed_seconds() const {
  return parts_.history.last_elapsed_seconds().value_or(task_.began_seconds);
}

Result<TuneSummary> Tuner::finish(std::optional<double> confirming_seconds) {
  if (!is_abandoned()) TRY(tune(parts_.history.unrecalled_trials(), last_elapsed_seconds()));
  if (!is_abandoned() && parts_.history.unrecalled_trials() > 0) {
    return fail(
        "task {} has more trials in the log than this campaign proposes; the "
        "log was written by another version",
        task_.prototype.task);
  }
  while (!is_abandoned() && !rounds_.empty()) TRY(learn_oldest_round());
  if (!is_abandoned()) TRY(confirm(confirming_seconds.value_or(this->confirming_seconds())));
  if (!is_abandoned()) parts_.history.remember_the_rest();
  TuneSummary summary = summarize(parts_.history);
  summary.stats.rejected = parts_.proposer.rejected();
  summary.stop = stop_.value_or(StopReason::trials);
  summary.device_error = device_error_;
  summary.confirming = confirming_;
  if (summary.failure.empty()) summary.failure = parts_.proposer.last_rejection();
  return summary;
}

Result<void> Tuner::tune_rounds() {
  while (true) {
    while (TRY(submit_next())) {
    }
    const auto running = std::ranges::find_if(
        rounds_, [](const Round& round) { return round.results.size() < round.submitted; });
    if (running == rounds_.end()) break;
    TRY(finish_next(*running));
    if (is_abandoned()) return {};
  }
  if (!stop_ && submitted_ < slice_end_) stop_ = StopReason::exhausted;
  return {};
}

// False: nothing can be submitted before there are more results, or at all.
Result<bool> Tuner::submit_next() {
  if (stop_ || submitted_ >= slice_end_ || !has_time_for_more()) return false;
  const bool needs_round = rounds_.empty() || rounds_.back().is_submitted();
  if (needs_round && !TRY(open_round())) return false;
  Round& round = rounds_.back();
  if (round.submitted == round.pending.size()) TRY(propose(round));
  if (round.submitted == round.pending.size()) return submit_next();  // only the default trace
  TRY(submit(round));
  return true;
}

// Trials in flight are waited for even past the limit, and two rounds of candidates that take
// seconds each would be minutes: so only as many are in flight as fit.
bool Tuner::has_time_for_more() const {
  const size_t in_flight = parts_.runner.in_flight();
  if (!options_.stop.max_seconds || in_flight < kLeastInFlight) return true;
  if (measured_here_ == 0) return false;
  const double now = hooks_.elapsed_seconds();
  const double pace = (now - first_submit_seconds_) / static_cast<double>(measured_here_);
  const double left = *options_.stop.max_seconds - reserved_seconds_ - (now - task_.began_seconds);
  return pace * static_cast<double>(in_flight) < left;
}

// The strategy learns from the round before the last one just before it proposes the next: so the
// order of its calls does not depend on slices.
Result<bool> Tuner::open_round() {
  while (true) {
    if (starved_ || rounds_.size() == kRoundsInFlight) {
      if (rounds_.empty() || !rounds_.front().is_complete()) return false;
      TRY(learn_oldest_round());
    }
    Round round{.unproposed = parts_.runner.capacity()};
    if (proposed_ == 0 && options_.default_first) {
      if (std::optional<Proposal> proposal = parts_.proposer.propose_default()) {
        round.pending.push_back({.trial = ++proposed_, .proposal = std::move(*proposal)});
        --round.unproposed;
      }
    }
    if (round.pending.empty()) TRY(propose(round));
    starved_ = round.pending.empty();
    if (starved_) continue;
    rounds_.push_back(std::move(round));
    return true;
  }
}

Result<void> Tuner::propose(Round& round) {
  const auto goes_on = [this] {
    report(progress_.phase);
    return !stop_if_interrupted();
  };
  std::vector<Proposal> proposals = TRY(parts_.proposer.propose(round.unproposed, goes_on));
  round.unproposed = 0;
  if (!proposals.empty()) ++rounds_started_;
  score_by_fresh_model(proposals);
  charge_learning(proposals);
  for (Proposal& proposal : proposals)
    round.pending.push_back({.trial = ++proposed_, .proposal = std::move(proposal)});
  return {};
}

// Submits the round's next trial, and the sentinel if it is due.
Result<void> Tuner::submit(Round& round) {
  Pending& pending = round.pending[round.submitted];
  pending.earlier =
      TRY(parts_.history.recall(pending.kind, pending.trial, pending.proposal.candidate.trace));
  if (!pending.earlier) {
    if (measured_here_ == 0 && parts_.runner.in_flight() == 0) {
      first_submit_seconds_ = hooks_.elapsed_seconds();
      if (hooks_.waited_seconds) first_submit_waited_ = hooks_.waited_seconds();
      // Time that other tasks took since this task's last result is left out.
      if (task_.spent_seconds > 0)
        task_.began_seconds = first_submit_seconds_ - task_.spent_seconds;
    }
    parts_.runner.submit(measure_input(pending));
  }
  ++round.submitted;
  if (pending.kind == RecordKind::sentinel) return {};
  ++submitted_;
  std::optional<Pending> sentinel = sentinel_due(pending.trial);
  if (!sentinel) return {};
  round.pending.insert(round.pending.begin() + static_cast<ptrdiff_t>(round.submitted),
                       std::move(*sentinel));
  return submit(round);
}

// The sentinel is the first valid trial, mostly the default trace. It is taken from complete
// rounds, so that a resumed campaign takes the same one.
std::optional<Tuner::Pending> Tuner::sentinel_due(int64_t trial) const {
  if (options_.sentinel_every <= 0 || trial % options_.sentinel_every != 0) return std::nullopt;
  const std::span<const Record> trials = parts_.history.trials();
  if (trials.empty()) return std::nullopt;
  const Record& record = trials.front();
  const Result<Trace>& trace = record.trace.value();
  if (!trace) return std::nullopt;
  Result<Candidate> candidate = materialize(task_.spec, task_.target, *trace);
  if (!candidate) return std::nullopt;
  Proposal proposal{.candidate = std::move(*candidate), .is_default = record.is_default};
  return Pending{
      .kind = RecordKind::sentinel, .trial = record.trial, .proposal = std::move(proposal)};
}

MeasureInput Tuner::measure_input(const Pending& pending) const {
  MeasureInput input;
  input.trial = pending.trial;
  input.spec = task_.spec;
  input.target = task_.prototype.target;
  input.trace = pending.proposal.candidate.trace;
  input.program = pending.proposal.candidate.program;
  if (pending.kind == RecordKind::trial)
    input.best_seconds = progress_.best_seconds.value_or(0);
  else
    input.purpose = Purpose::remeasure;
  return input;
}

Result<void> Tuner::finish_submitted(Round& round) {
  while (round.results.size() < round.submitted && !is_abandoned()) TRY(finish_next(round));
  return {};
}

// Waits for the next of the round's results; adds none if the campaign is abandoned.
Result<void> Tuner::finish_next(Round& round) {
  std::optional<Record> record = TRY(finish(round.pending[round.results.size()]));
  if (record && !is_abandoned()) round.results.push_back(std::move(*record));
  return {};
}

Result<void> Tuner::finish_in_flight() {
  for (Round& round : rounds_) {
    TRY(finish_submitted(round));
    if (is_abandoned()) return {};
  }
  return {};
}

// Empty if the campaign is abandoned, and everything in flight with it.
Result<std::optional<Record>> Tuner::finish(const Pending& pending) {
  if (pending.earlier) {
    parts_.history.remember(*pending.earlier);
    count(*pending.earlier);
    return std::optional<Record>(*pending.earlier);
  }
  if (stop_if_interrupted()) return std::optional<Record>();
  MeasureResult result = parts_.runner.wait();
  // An interrupt may have killed the workers, too: such a failure is not the candidate's.
  if (stop_if_interrupted() && result.status != Status::ok) return std::optional<Record>();
  notice_lost_device(result);
  if (result.no_device) return std::optional<Record>();
  const Record record = make_record(pending, std::move(result));
  TRY(parts_.history.add(record));
  ++measured_here_;
  count(record);
  return std::optional<Record>(record);
}

Record Tuner::make_record(const Pending& pending, MeasureResult result) const {
  Record record = task_.prototype;
  record.kind = pending.kind;
  record.trial = pending.trial;
  record.is_default = pending.proposal.is_default;
  if (pending.kind == RecordKind::trial) record.trace = pending.proposal.candidate.trace;
  if (pending.kind == RecordKind::confirmation) record.sitting = parts_.history.num_trials();
  record.result = std::move(result);
  record.result.times.search_seconds = pending.proposal.search_seconds;
  record.result.times.model_seconds = pending.proposal.model_seconds;
  record.rejected = std::max(pending.proposal.rejected, progress_.rejected);
  record.elapsed_seconds = hooks_.elapsed_seconds();
  return record;
}

void Tuner::count(const Record& record) {
  if (record.kind == RecordKind::trial) {
    ++progress_.trials;
    ++trials_since_best_;
    progress_.rejected = record.rejected;
    if (record.result.status != Status::ok) {
      ++progress_.failed[record.result.status];
    } else {
      ++progress_.valid;
      if (record.is_default) progress_.default_seconds = record.result.seconds;
      if (!progress_.best_seconds || record.result.seconds < *progress_.best_seconds) {
        progress_.best_seconds = record.result.seconds;
        progress_.best_trial = record.trial;
        const Result<Trace>& trace = record.trace.value();
        progress_.best_algorithm = trace ? algorithm_of(*trace) : "";
        trials_since_best_ = 0;
      }
    }
    constexpr int64_t kTrialsBetween = 16;
    if (trials_since_best_ % kTrialsBetween == 0) reserve_confirming();
  }
  progress_.elapsed_seconds = record.elapsed_seconds - task_.began_seconds;
  // No limit stops a campaign before all trials of its log are recalled.
  if (!stop_ && parts_.history.unrecalled_trials() == 0)
    stop_ = options_.stop.met(progress_.trials, progress_.elapsed_seconds + reserved_seconds_,
                              trials_since_best_);
  report(Phase::measuring);
}

void Tuner::notice_lost_device(const MeasureResult& result) {
  lost_in_a_row_ = result.status == Status::worker_lost ? lost_in_a_row_ + 1 : 0;
  if (lost_in_a_row_ < kLostUntilDeviceLost && !result.no_device) return;
  stop_ = StopReason::device_lost;
  device_error_ = result.reason;
}

bool Tuner::is_abandoned() const {
  return stop_ == StopReason::interrupted || stop_ == StopReason::device_lost;
}

bool Tuner::stop_if_interrupted() {
  if (hooks_.interrupted()) stop_ = StopReason::interrupted;
  return stop_ == StopReason::interrupted;
}

void Tuner::report(Phase phase, std::optional<double> remaining_seconds) {
  progress_.phase = phase;
  Progress shown = progress_;
  shown.rejected = parts_.proposer.rejected();  // those of rounds that are not measured yet, too
  shown.misses = parts_.proposer.misses();
  shown.most_misses = Proposer::kMostMisses;
  shown.max_seconds = options_.stop.max_seconds;
  shown.remaining_seconds = phase == Phase::confirming ? remaining_seconds : remaining_by_pace();
  hooks_.progress(shown);
}

// By the pace so far, on the clock of whoever waits: logs that answer have one of their own.
std::optional<double> Tuner::remaining_by_pace() const {
  const double device_seconds = hooks_.elapsed_seconds() - first_submit_seconds_;
  const double seconds =
      hooks_.waited_seconds ? hooks_.waited_seconds() - first_submit_waited_ : device_seconds;
  std::optional<double> seconds_left;
  if (options_.stop.max_seconds)
    seconds_left = (*options_.stop.max_seconds - progress_.elapsed_seconds) *
                   (hooks_.waited_seconds && device_seconds > 0 ? seconds / device_seconds : 1);
  return estimate_remaining_seconds(measured_here_, seconds,
                                    progress_.max_trials - progress_.trials, seconds_left);
}

}  // namespace dovetail
