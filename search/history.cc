// SPDX-License-Identifier: Apache-2.0
#include "search/history.h"

#include <fmt/format.h>

#include <algorithm>

namespace dovetail {

Result<std::optional<Record>> History::recall(RecordKind kind, int64_t trial, const Trace& trace) {
  const auto found = std::find_if(earlier_.begin(), earlier_.end(), [&](const Record& record) {
    return record.kind == kind && record.trial == trial;
  });
  if (found == earlier_.end()) return std::optional<Record>();
  if (kind == RecordKind::trial && found->trace != print(trace)) {
    return fail(fmt::format(
        "trial {} of campaign {}, task {}, has another trace in the log than is proposed now: the "
        "log was written by another version; start a campaign of its own with --append",
        trial, found->campaign, found->task));
  }
  std::optional<Record> record = std::move(*found);
  earlier_.erase(found);
  return record;
}

Result<void> History::add(Record record) {
  TRY(append_(record));
  remember(std::move(record));
  return {};
}

void History::remember(Record record) {
  const size_t index = records_.size();
  records_.push_back(std::move(record));
  const Record& last = records_.back();
  if (last.kind != RecordKind::trial) return;
  if (last.result.status != Status::ok) return forget_trace(index);
  if (!first_valid_) first_valid_ = index;
  fastest_.emplace(last.result.seconds, index);
  if (fastest_.size() <= kTraces) return;
  const auto slowest = std::prev(fastest_.end());
  if (slowest->second != *first_valid_) forget_trace(slowest->second);
  fastest_.erase(slowest);
}

// Assigned, not cleared, so that the memory goes, too.
void History::forget_trace(size_t index) {
  records_[index].trace = std::string();
  records_[index].result.samples = std::vector<double>();
}

void History::write_rounds(std::vector<RoundRecord> earlier, AppendRound append) {
  earlier_rounds_ = std::move(earlier);
  append_round_ = std::move(append);
}

Result<void> History::add_round(RoundRecord round) {
  const auto found = std::ranges::find(earlier_rounds_, round.round, &RoundRecord::round);
  if (found != earlier_rounds_.end()) {
    rounds_.push_back(*found);
    return {};
  }
  if (append_round_) TRY(append_round_(round));
  rounds_.push_back(std::move(round));
  return {};
}

bool History::has_unrecalled_trials() const {
  return std::any_of(earlier_.begin(), earlier_.end(),
                     [](const Record& record) { return record.kind == RecordKind::trial; });
}

}  // namespace dovetail
