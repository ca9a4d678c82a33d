// SPDX-License-Identifier: Apache-2.0
#pragma once

// History: the records of one task of one campaign: those that the log had when the campaign was
// resumed, and those that it gets now.
//
//   History history(earlier, append);
//   TRY(history.recall(RecordKind::trial, 17, trace));   // the log's line for it, or nothing
//   TRY(history.add(record));                            // written down, then remembered
//
// A recalled record is remembered but not written again, so a resumed campaign has every line once.
// What counts and times are made of is remembered of every trial; its trace and samples only while
// it is one of the fastest, or the first valid one, so that a long campaign takes little memory.
// So it is with what a round says of the cost model (core/record/round_record.h).

#include <deque>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/trace.h"
#include "core/record/record.h"
#include "core/record/round_record.h"

namespace dovetail {

class History {
 public:
  using Append = std::function<Result<void>(const Record&)>;
  History(std::vector<Record> earlier, Append append)
      : earlier_(std::make_move_iterator(earlier.begin()), std::make_move_iterator(earlier.end())),
        append_(std::move(append)) {}

  // Without it, rounds are remembered and not written.
  using AppendRound = std::function<Result<void>(const RoundRecord&)>;
  void write_rounds(std::vector<RoundRecord> earlier, AppendRound append);

  // The log's record of that measurement, taken out of it. An error when the log's trial has
  // another trace: then this program would not have proposed what the log has.
  Result<std::optional<Record>> recall(RecordKind kind, int64_t trial, const Trace& trace);
  Result<void> add(Record record);  // a new one
  void remember(Record record);     // a recalled one

  static constexpr size_t kTraces = 256;  // of the fastest trials

  // Judged now; where the log has that round, its line stays.
  Result<void> add_round(RoundRecord round);

  // A trial without a trace was slower than kTraces others, or failed.
  std::span<const Record> records() const { return records_; }
  std::span<const RoundRecord> rounds() const { return rounds_; }
  // Trials of the log that nobody recalled; none unless the log is of another campaign.
  bool has_unrecalled_trials() const;

 private:
  std::deque<Record> earlier_;  // recalled from the front, mostly
  Append append_;
  void forget_trace(size_t index);

  std::vector<Record> records_;
  std::set<std::pair<double, size_t>> fastest_;  // seconds and index of those with a trace
  std::optional<size_t> first_valid_;            // index
  std::vector<RoundRecord> earlier_rounds_;
  AppendRound append_round_;
  std::vector<RoundRecord> rounds_;
};

}  // namespace dovetail
