// SPDX-License-Identifier: Apache-2.0
#pragma once

// History: the measurements of one task of one campaign: those that the log had when the campaign
// was resumed, and new ones.
//
//   History history(earlier, append);
//   TRY(history.recall(RecordKind::trial, 17, trace));   // the log's line for it, or nothing
//   history.recall_confirmation(17);                     // from this ending: no more trials since
//   TRY(history.add(record));                            // written down, then remembered
//   history.tally().stats();                             // over all records
//   history.trials();                                    // whole records, of some trials
//
// A recalled record is remembered but not written again, so a resumed campaign has every line once.
//
// A record is about a kilobyte and a campaign may have a hundred thousand, so whole records are
// kept in bounded number: the first valid trial, the fastest of the others, and confirmations. All
// others only enter counts and sums, as do rounds of the cost model
// (core/record/statistics/task_stats.h). The log has every record, for readers that want them all.

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/record/line/record.h"
#include "core/record/line/round_record.h"
#include "core/record/log/best_record.h"
#include "core/record/statistics/task_stats.h"
#include "search/stop_condition.h"

namespace dovetail {

class History {
 public:
  using Append = std::function<Result<void>(const Record&)>;
  History(std::vector<Record> earlier, Append append);

  // Without this call, rounds are tallied and not written.
  using AppendRound = std::function<Result<void>(const RoundRecord&)>;
  void write_rounds(std::vector<RoundRecord> earlier, AppendRound append);

  // Removes and returns the log's record of that measurement. Fails if the log's trial has another
  // trace: then this program would not have proposed it.
  Result<std::optional<Record>> recall(RecordKind kind, int64_t trial, const Trace& trace);
  // Removes and returns the log's confirmation of that trial in the current sitting, if any.
  std::optional<Record> recall_confirmation(int64_t trial);
  // Says if the log has one that is not recalled yet.
  bool has_confirmation(int64_t trial) const;
  // Remembers the log's confirmations from earlier ends (sittings), before there is another.
  void remember_earlier_sittings();
  Result<void> add(Record record);  // a new one
  void remember(Record record);     // a recalled one; recalled and new ones in log order

  // Adds a newly judged round; if the log has it already, the log's line stays.
  Result<void> add_round(RoundRecord round);

  static constexpr size_t kFastest = 256;

  const TaskTally& tally() const { return tally_; }
  int64_t num_trials() const { return num_trials_; }
  // The first valid trial, then the kFastest fastest of the others, in trial order.
  std::span<const Record> trials() const { return trials_; }
  std::span<const Record> confirmations() const { return confirmations_; }
  // The sentinel's largest relative change from its first time.
  std::optional<double> drift() const { return drift_; }
  // Reason of the first failure, "timeout: run took longer than 2.0 s", and of the first
  // confirmation that failed, if any did; empty if nothing failed.
  const std::string& failure() const { return failure_; }
  std::optional<double> last_elapsed_seconds() const { return last_elapsed_seconds_; }

  // Trials of the log that are not recalled yet.
  int64_t unrecalled_trials() const { return unrecalled_trials_; }
  // Remembers the log's other confirmations, for instance if this campaign has no finalists.
  void remember_the_rest();

 private:
  bool is_of_now(const Record& confirmation) const;
  void remember_trial(Record record);
  void remember_confirmation(Record record);
  void note_drift(const Record& sentinel);

  std::deque<Record> earlier_;  // recalled from the front, mostly
  int64_t logged_trials_ = 0;   // trials that the log had
  int64_t unrecalled_trials_ = 0;
  // Trials confirmed after the log's last trial, by records that have no sitting number.
  std::set<int64_t> confirmed_last_;
  Append append_;
  std::vector<RoundRecord> earlier_rounds_;
  AppendRound append_round_;

  TaskTally tally_;
  int64_t num_trials_ = 0;
  std::vector<Record> trials_;
  std::vector<Record> confirmations_;  // per sitting, at most one for each of trials_
  std::optional<double> drift_;
  std::string failure_;
  std::optional<double> last_elapsed_seconds_;
};

// Finds the finalists, the fastest valid trials. They are measured again before one wins: the
// smallest of many noisy times is biased low (the winner's curse). Best first, at most `count`,
// without those in `except`; equal times in the order of the trials.
std::vector<Record> find_finalists(std::span<const Record> records, size_t count,
                                   std::span<const int64_t> except = {});

// TuneSummary: the outcome of one task's campaign. Counts and times come from its records alone, so
// that a resumed campaign counts as a whole.
// How far the best were measured again: a time limit may leave little time for it, or none.
// Cut off: by an interrupt or a lost device, so that it begins anew in a resumed campaign.
enum class Confirming : uint8_t { whole, in_part, none, cut_off };

struct TuneSummary {
  TaskStats stats;
  std::optional<BestTrial> best;  // none: no candidate is valid
  // The sentinel's largest change against its first time, as a fraction: 0.05 is 5 %.
  std::optional<double> drift;
  StopReason stop = StopReason::trials;
  std::string device_error;  // reason of a stop by device_lost
  std::string failure;       // History::failure(), or why a trace was illegal
  Confirming confirming = Confirming::whole;

  // False: other tasks had spent the shared budget before its first trial.
  bool was_tried() const { return stats.trials > 0 || stop != StopReason::budget; }
};

// Combines log_stats and best_trials of the records; the tuner fills in rejected, stop and
// device_error.
TuneSummary summarize(const History& history);

// The best trial so far; none if no trial is valid.
std::optional<BestTrial> best_so_far(const History& history);

// judge_round: how well the cost model ordered a round, once its results are there.
//
//   judge_round({{.score = 0.9, .seconds = 2e-6}, {.score = 0.7, .seconds = 1e-6}, ...})
//       RoundRecord{.candidates = 16, .valid = 15, .kendall_tau = 0.41, ...}
//
// A round has only what was measured, which a strategy may have picked by the same model from many
// more: candidates that are all expected to be fast are harder to order than random ones. So the
// figures compare models and rounds of one strategy, not strategies.

struct ScoredResult {
  double score = 0;                                  // predicted, before it was measured
  std::optional<double> fresh_score = std::nullopt;  // by a model without the warm start
  std::optional<double> seconds = std::nullopt;      // none: it failed
};

// Empty if fewer than two candidates are valid. The caller fills in which round and task it is, and
// the times.
std::optional<RoundRecord> judge_round(std::span<const ScoredResult> results);

}  // namespace dovetail
