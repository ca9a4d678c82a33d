// SPDX-License-Identifier: Apache-2.0
#include "search/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dovetail {
namespace {

constexpr size_t kRoundsInFlight = 2;
// So many results without a worker behind them are no accident any more.
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
  slice_end_ = proposed_ + std::min(trials, options_.stop.max_trials - proposed_);
  return tune_rounds();
}

double Tuner::last_elapsed_seconds() const {
  return parts_.history.last_elapsed_seconds().value_or(task_.began_seconds);
}

Result<TuneSummary> Tuner::finish() {
  if (!abandoned() && parts_.history.has_unrecalled_trials()) {
    return fail(
        fmt::format("task {} has more trials in the log than this campaign proposes; the "
                    "log was written by another version",
                    task_.prototype.task));
  }
  if (!abandoned()) TRY(confirm());
  TuneSummary summary = summarize(parts_.history);
  summary.stats.rejected = parts_.proposer.rejected();
  summary.stop = stop_.value_or(StopReason::trials);
  summary.device_error = device_error_;
  if (summary.failure.empty()) summary.failure = parts_.proposer.last_rejection();
  return summary;
}

Result<void> Tuner::tune_rounds() {
  std::deque<Round> rounds;
  while (true) {
    while (rounds.size() < kRoundsInFlight) {
      Round round = TRY(start_round());
      if (round.empty()) break;
      rounds.push_back(std::move(round));
    }
    if (rounds.empty()) break;
    TRY(finish_round(rounds.front()));
    if (abandoned()) return {};
    rounds.pop_front();
  }
  if (!stop_ && proposed_ < slice_end_) stop_ = StopReason::exhausted;
  return {};
}

Result<Tuner::Round> Tuner::start_round() {
  Round round;
  if (stop_) return round;
  const int64_t left = slice_end_ - proposed_;
  const size_t size =
      std::min(options_.round_size, static_cast<size_t>(std::max<int64_t>(left, 0)));
  std::vector<Proposal> proposals;
  if (proposed_ == 0 && options_.default_first && size > 0) {
    std::optional<Proposal> default_proposal = parts_.proposer.propose_default();
    if (default_proposal) proposals.push_back(std::move(*default_proposal));
  }
  if (size > proposals.size()) {
    std::vector<Proposal> more = TRY(parts_.proposer.propose(size - proposals.size()));
    std::ranges::move(more, std::back_inserter(proposals));
  }
  if (!proposals.empty()) ++rounds_started_;
  score_by_fresh_model(proposals);
  charge_learning(proposals);
  for (Proposal& proposal : proposals) {
    const int64_t trial = ++proposed_;
    TRY(start(round, {.trial = trial, .proposal = std::move(proposal)}));
    if (std::optional<Pending> sentinel = sentinel_due(trial)) {
      TRY(start(round, std::move(*sentinel)));
    }
  }
  return round;
}

Result<void> Tuner::start(Round& round, Pending pending) {
  pending.earlier =
      TRY(parts_.history.recall(pending.kind, pending.trial, pending.proposal.candidate.trace));
  if (!pending.earlier) {
    if (measured_here_ == 0 && parts_.runner.in_flight() == 0) {
      first_submit_seconds_ = hooks_.elapsed_seconds();
    }
    parts_.runner.submit(measure_input(pending));
  }
  round.push_back(std::move(pending));
  return {};
}

// The default trace, or without it the first valid trial: from complete rounds only, so that a
// resumed campaign takes the same one.
std::optional<Tuner::Pending> Tuner::sentinel_due(int64_t trial) const {
  if (options_.sentinel_every <= 0 || trial % options_.sentinel_every != 0) return std::nullopt;
  const std::span<const Record> trials = parts_.history.trials();
  if (trials.empty()) return std::nullopt;
  const Record& record = trials.front();
  const Result<Trace> trace = parse_trace(record.trace);
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
  if (pending.kind == RecordKind::trial) input.best_seconds = progress_.best_seconds.value_or(0);
  return input;
}

Result<void> Tuner::finish_round(const Round& round) {
  std::vector<const Pending*> trials;
  std::vector<Record> results;
  for (const Pending& pending : round) {
    std::optional<Record> record = TRY(finish(pending));
    if (!record || abandoned()) return {};
    if (record->kind != RecordKind::trial) continue;
    trials.push_back(&pending);
    results.push_back(std::move(*record));
  }
  return learn(trials, results);
}

// Gives no value where the campaign is abandoned, and what is in flight with it.
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
  const Record record = make_record(pending, std::move(result));
  TRY(parts_.history.add(record));
  ++measured_here_;
  notice_lost_device(record.result);
  count(record);
  return std::optional<Record>(record);
}

Record Tuner::make_record(const Pending& pending, MeasureResult result) const {
  Record record = task_.prototype;
  record.kind = pending.kind;
  record.trial = pending.trial;
  record.is_default = pending.proposal.is_default;
  if (pending.kind == RecordKind::trial) record.trace = print(pending.proposal.candidate.trace);
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
        trials_since_best_ = 0;
      }
    }
  }
  progress_.elapsed_seconds = record.elapsed_seconds - task_.began_seconds;
  if (!stop_) {
    stop_ = options_.stop.met(progress_.trials, progress_.elapsed_seconds, trials_since_best_);
  }
  report(Phase::measuring);
}

void Tuner::notice_lost_device(const MeasureResult& result) {
  lost_in_a_row_ = result.status == Status::worker_lost ? lost_in_a_row_ + 1 : 0;
  if (lost_in_a_row_ < kLostUntilDeviceLost) return;
  stop_ = StopReason::device_lost;
  device_error_ = result.reason;
}

bool Tuner::abandoned() const {
  return stop_ == StopReason::interrupted || stop_ == StopReason::device_lost;
}

bool Tuner::stop_if_interrupted() {
  if (hooks_.interrupted()) stop_ = StopReason::interrupted;
  return stop_ == StopReason::interrupted;
}

void Tuner::report(Phase phase) {
  progress_.phase = phase;
  std::optional<double> seconds_left;
  if (options_.stop.max_seconds) {
    seconds_left = *options_.stop.max_seconds - progress_.elapsed_seconds;
  }
  progress_.remaining_seconds =
      estimate_remaining_seconds(measured_here_, hooks_.elapsed_seconds() - first_submit_seconds_,
                                 progress_.max_trials - progress_.trials, seconds_left);
  hooks_.progress(progress_);
}

}  // namespace dovetail
