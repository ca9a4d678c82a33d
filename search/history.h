// SPDX-License-Identifier: Apache-2.0
#pragma once

// History: what one task of one campaign has measured: the lines that the log had when the campaign
// was resumed, and those that it gets now.
//
//   History history(earlier, append);
//   TRY(history.recall(RecordKind::trial, 17, trace));   // the log's line for it, or nothing
//   history.recall_confirmation(17);                     // of this ending: no more trials since
//   TRY(history.add(record));                            // written down, then remembered
//   history.tally().stats();                             // of all lines
//   history.trials();                                    // of some, whole
//
// A recalled record is remembered but not written again, so a resumed campaign has every line once.
//
// A record is about a kilobyte and a campaign may have a hundred thousand, so what is remembered
// whole does not grow with it: the first valid trial, the fastest of the others, and what measuring
// a trial again at the end gave. All others leave no more than a share in counts and sums, as do
// rounds of the cost model (core/record/statistics/task_stats.h). The log has every line, for
// readers that want them all.

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

  // Without it, rounds are remembered and not written.
  using AppendRound = std::function<Result<void>(const RoundRecord&)>;
  void write_rounds(std::vector<RoundRecord> earlier, AppendRound append);

  // It gives the log's record of that measurement, and takes it out. It is an error when the log's
  // trial has another trace: then this program would not have proposed what the log has.
  Result<std::optional<Record>> recall(RecordKind kind, int64_t trial, const Trace& trace);
  // The log's confirmation of that trial in the sitting of now, or nothing.
  std::optional<Record> recall_confirmation(int64_t trial);
  // The log's confirmations of earlier sittings are remembered before there is another one.
  void remember_earlier_sittings();
  Result<void> add(Record record);  // a new one
  void remember(Record record);     // a recalled one; in the order of the log, as new ones are

  // The round was judged now; where the log has that round, its line stays.
  Result<void> add_round(RoundRecord round);

  static constexpr size_t kFastest = 256;

  const TaskTally& tally() const { return tally_; }
  int64_t num_trials() const { return num_trials_; }
  // These are the first valid trial, which comes first, and the kFastest fastest of the others, in
  // their order.
  std::span<const Record> trials() const { return trials_; }
  std::span<const Record> confirmations() const { return confirmations_; }
  // The sentinel's largest change against its first time, as a fraction.
  std::optional<double> drift() const { return drift_; }
  // Why the first trial failed, "timeout: run took longer than 2.0 s"; empty when none did.
  const std::string& failure() const { return failure_; }
  std::optional<double> last_elapsed_seconds() const { return last_elapsed_seconds_; }

  // Trials of the log that nobody has recalled yet.
  int64_t unrecalled_trials() const { return unrecalled_trials_; }
  // The log's other confirmations: of a campaign that has no finalists now, for instance.
  void remember_the_rest();

 private:
  bool is_of_now(const Record& confirmation) const;
  void remember_trial(Record record);
  void note_drift(const Record& sentinel);

  std::deque<Record> earlier_;  // recalled from the front, mostly
  int64_t logged_trials_ = 0;   // that the log had
  int64_t unrecalled_trials_ = 0;
  // Confirmations of the log that do not say their sitting, and stand behind its last trial.
  std::set<int64_t> confirmed_last_;
  Append append_;
  std::vector<RoundRecord> earlier_rounds_;
  AppendRound append_round_;

  TaskTally tally_;
  int64_t num_trials_ = 0;
  std::vector<Record> trials_;
  std::vector<Record> confirmations_;  // at most one of each of trials_ a sitting
  std::optional<double> drift_;
  std::string failure_;
  std::optional<double> last_elapsed_seconds_;
};

// The finalists: the fastest valid trials, which are measured again before one of them wins: the
// smallest of many noisy times is too good to be true (the winner's curse). Best first, at most
// `count`, without those in `except`; equal times in the order of the trials.
std::vector<Record> find_finalists(std::span<const Record> records, size_t count,
                                   std::span<const int64_t> except = {});

// TuneSummary says what the campaign of one task came to. Counts and times come from its records
// alone, so that a resumed campaign counts as a whole.
struct TuneSummary {
  TaskStats stats;
  std::optional<BestTrial> best;  // none: no candidate is valid
  // The sentinel's largest change against its first time, as a fraction: 0.05 is 5 %.
  std::optional<double> drift;
  StopReason stop = StopReason::trials;
  std::string device_error;  // stop device_lost: why
  std::string failure;       // the first failure's reason, or why a trace was illegal

  // False: others had spent the shared budget before its first trial.
  bool was_tried() const { return stats.trials > 0 || stop != StopReason::budget; }
};

// Sums up log_stats and best_trials of its records; stop and device_error are the tuner's to
// say.
TuneSummary summarize(const History& history);

// The best of all that was measured until now; none where no trial is valid.
std::optional<BestTrial> best_so_far(const History& history);

// judge_round: how well the cost model ordered a round, once its results are there.
//
//   judge_round({{.score = 0.9, .seconds = 2e-6}, {.score = 0.7, .seconds = 1e-6}, ...})
//       RoundRecord{.candidates = 16, .valid = 15, .kendall_tau = 0.41, ...}
//
// The round is what was measured, which a strategy may have picked by the same model from many
// more: candidates that are all expected to be fast are harder to order than random ones. So the
// figures compare models and rounds of one strategy, not strategies.

struct ScoredResult {
  double score = 0;                                  // before it was measured
  std::optional<double> fresh_score = std::nullopt;  // of a model without the warm start
  std::optional<double> seconds = std::nullopt;      // none: it failed
};

// The caller says which round it is, of what and when. It gives nothing where fewer than two
// candidates are valid.
std::optional<RoundRecord> judge_round(std::span<const ScoredResult> results);

}  // namespace dovetail
