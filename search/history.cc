// SPDX-License-Identifier: Apache-2.0
#include "search/history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/fail.h"
#include "costmodel/rank_quality.h"

namespace dovetail {
namespace {

constexpr ptrdiff_t kMostFinalists = 8;

}  // namespace

History::History(std::vector<Record> earlier, Append append)
    : earlier_(std::make_move_iterator(earlier.begin()), std::make_move_iterator(earlier.end())),
      logged_trials_(std::ranges::count(earlier_, RecordKind::trial, &Record::kind)),
      unrecalled_trials_(logged_trials_),
      append_(std::move(append)) {
  for (const Record& record : earlier_) {
    if (record.kind == RecordKind::trial || record.sitting > 0) confirmed_last_.clear();
    if (record.kind == RecordKind::confirmation && record.sitting == 0)
      confirmed_last_.insert(record.trial);
  }
}

Result<std::optional<Record>> History::recall(RecordKind kind, int64_t trial, const Trace& trace) {
  const auto found = std::ranges::find_if(
      earlier_, [&](const Record& record) { return record.kind == kind && record.trial == trial; });
  if (found == earlier_.end()) return std::optional<Record>();
  RecordedTrace proposed(trace);
  if (kind == RecordKind::trial && found->trace != proposed) {
    return fail(
        "trial {} of campaign {}, task {}, has another trace in the log than is proposed now: the "
        "log was written by another version; start a campaign of its own with --append",
        trial, found->campaign, found->task);
  }
  std::optional<Record> record = std::move(*found);
  if (kind == RecordKind::trial) record->trace = std::move(proposed);
  earlier_.erase(found);
  unrecalled_trials_ -= kind == RecordKind::trial;
  return record;
}

bool History::is_of_now(const Record& confirmation) const {
  if (confirmation.sitting == 0)
    return num_trials_ == logged_trials_ && confirmed_last_.contains(confirmation.trial);
  return confirmation.sitting == num_trials_;
}

bool History::has_confirmation(int64_t trial) const {
  return std::ranges::any_of(earlier_, [&](const Record& record) {
    return record.kind == RecordKind::confirmation && record.trial == trial && is_of_now(record);
  });
}

// A sitting that was interrupted and repeated has several lines of a trial: the last one counts.
std::optional<Record> History::recall_confirmation(int64_t trial) {
  std::optional<Record> record;
  for (auto at = earlier_.begin(); at != earlier_.end();) {
    const bool is_it = at->kind == RecordKind::confirmation && at->trial == trial && is_of_now(*at);
    if (!is_it || (record && record->sitting == 0)) {
      ++at;
      continue;
    }
    record = std::move(*at);
    at = earlier_.erase(at);
  }
  return record;
}

void History::remember_earlier_sittings() {
  const std::optional<double> last_elapsed_seconds = last_elapsed_seconds_;  // later than theirs
  std::deque<Record> left;
  for (Record& record : std::exchange(earlier_, {}))
    if (record.kind == RecordKind::confirmation && !is_of_now(record))
      remember(std::move(record));
    else
      left.push_back(std::move(record));
  earlier_ = std::move(left);
  last_elapsed_seconds_ = last_elapsed_seconds;
}

Result<void> History::add(Record record) {
  TRY(append_(record));
  remember(std::move(record));
  return {};
}

void History::remember(Record record) {
  tally_.add(record);
  last_elapsed_seconds_ = record.elapsed_seconds;
  switch (record.kind) {
    case RecordKind::trial:
      ++num_trials_;
      remember_trial(std::move(record));
      break;
    case RecordKind::sentinel: note_drift(record); break;
    case RecordKind::confirmation: remember_confirmation(std::move(record)); break;
  }
}

void History::remember_trial(Record record) {
  const MeasureResult& result = record.result;
  if (result.status != Status::ok) {
    if (failure_.empty()) failure_ = fmt::format("{}: {}", print(result.status), result.reason);
    return;
  }
  // A trace takes several times the memory of its text, and only finalists are lowered again.
  const auto is_faster = [&](const Record& trial) {
    return trial.result.seconds <= result.seconds;
  };
  if (std::ranges::count_if(trials_, is_faster) >= kMostFinalists)
    record.trace = std::string(record.trace.text());
  trials_.push_back(std::move(record));
  if (trials_.size() <= 1 + kFastest) return;
  // Among equally slow ones the last goes, because the first of equal times counts as better.
  auto slowest = trials_.begin() + 1;
  for (auto at = slowest; at != trials_.end(); ++at)
    if (at->result.seconds >= slowest->result.seconds) slowest = at;
  trials_.erase(slowest);
}

// Trials that were valid and fail now explain a campaign without a winner better than any trial.
void History::remember_confirmation(Record record) {
  const MeasureResult& result = record.result;
  const auto is_valid = [](const Record& earlier) { return earlier.result.status == Status::ok; };
  if (!is_valid(record) && std::ranges::all_of(confirmations_, is_valid))
    failure_ = fmt::format("measured again: {}: {}", print(result.status), result.reason);
  confirmations_.push_back(std::move(record));
}

// The sentinel is the first valid trial.
void History::note_drift(const Record& sentinel) {
  if (sentinel.result.status != Status::ok) return;
  const auto trial = std::ranges::find(trials_, sentinel.trial, &Record::trial);
  if (trial == trials_.end()) return;
  const double change = sentinel.result.seconds / trial->result.seconds - 1;
  if (!drift_ || std::abs(change) > std::abs(*drift_)) drift_ = change;
}

void History::write_rounds(std::vector<RoundRecord> earlier, AppendRound append) {
  earlier_rounds_ = std::move(earlier);
  append_round_ = std::move(append);
}

Result<void> History::add_round(RoundRecord round) {
  const auto found = std::ranges::find(earlier_rounds_, round.round, &RoundRecord::round);
  if (found != earlier_rounds_.end()) {
    tally_.add(*found);
    earlier_rounds_.erase(found);
    return {};
  }
  if (append_round_) TRY(append_round_(round));
  tally_.add(round);
  return {};
}

void History::remember_the_rest() {
  std::deque<Record> rest = std::exchange(earlier_, {});
  for (Record& record : rest)
    if (record.kind == RecordKind::confirmation) remember(std::move(record));
}

std::vector<Record> find_finalists(std::span<const Record> records, size_t count,
                                   std::span<const int64_t> except) {
  std::vector<Record> finalists;
  std::ranges::copy_if(records, std::back_inserter(finalists), [&](const Record& record) {
    return record.kind == RecordKind::trial && record.result.status == Status::ok &&
           std::ranges::find(except, record.trial) == except.end();
  });
  std::ranges::sort(finalists, {}, [](const Record& record) {
    return std::pair(record.result.seconds, record.trial);
  });
  if (finalists.size() > count) finalists.resize(count);
  return finalists;
}

// The winner is always among the kept trials: it was confirmed, or is the fastest of those that did
// not fail a confirmation.
std::optional<BestTrial> best_so_far(const History& history) {
  std::vector<Record> kept(history.trials().begin(), history.trials().end());
  kept.insert(kept.end(), history.confirmations().begin(), history.confirmations().end());
  const std::vector<BestTrial> best = best_trials(kept);
  return best.empty() ? std::nullopt : std::optional(best.front());
}

TuneSummary summarize(const History& history) {
  TuneSummary summary;
  summary.stats = history.tally().stats();
  summary.best = best_so_far(history);
  if (summary.best) {
    summary.stats.best_seconds = summary.best->seconds;
    summary.stats.best_trial = summary.best->record.trial;
  }
  summary.drift = history.drift();
  summary.failure = history.failure();
  return summary;
}

std::optional<RoundRecord> judge_round(std::span<const ScoredResult> results) {
  RoundRecord round;
  std::vector<double> scores, fresh_scores;
  std::vector<std::optional<double>> seconds;
  for (const ScoredResult& result : results) {
    ++round.candidates;
    if (result.seconds) ++round.valid;
    scores.push_back(result.score);
    if (result.fresh_score) fresh_scores.push_back(*result.fresh_score);
    seconds.push_back(result.seconds);
  }
  if (round.valid < 2) return std::nullopt;
  const RankQuality quality = rank_quality(scores, seconds);
  round.top_1_recall = quality.top_1_recall;
  round.top_5_recall = quality.top_5_recall;
  round.kendall_tau = quality.kendall_tau;
  round.top_1_speed = quality.top_1_speed;
  if (fresh_scores.size() == seconds.size())
    round.fresh_kendall_tau = kendall_tau(fresh_scores, seconds);
  return round;
}

}  // namespace dovetail
