// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/distill.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "core/record/line/trace_text.h"
#include "core/record/log/best_record.h"

namespace dovetail {
namespace {

void add_best(const std::vector<Record>& records, std::set<TrialKey>& kept) {
  for (const BestTrial& best : best_trials(records)) kept.insert(trial_key(best.record));
}

// The records of one algorithm. Confirmations have no trace: all are included.
std::vector<Record> of_algorithm(const Log& log, std::string_view algorithm) {
  std::vector<Record> records;
  for (const Record& record : log.records) {
    const bool is_trial = record.kind == RecordKind::trial;
    if (!is_trial || recorded_algorithm(record.trace.text()) == algorithm)
      records.push_back(record);
  }
  return records;
}

std::set<TrialKey> kept_trials(const Log& log) {
  std::set<TrialKey> kept;
  std::set<std::string_view> algorithms;
  for (const Record* record : last_sittings(log.records)) kept.insert(trial_key(*record));
  for (const Record& record : log.records) {
    if (record.kind != RecordKind::trial) continue;
    algorithms.insert(recorded_algorithm(record.trace.text()));
    // The gain is said over it.
    if (record.is_default && record.result.status == Status::ok) kept.insert(trial_key(record));
  }
  add_best(log.records, kept);
  if (algorithms.size() < 2) return kept;
  for (const std::string_view algorithm : algorithms) add_best(of_algorithm(log, algorithm), kept);
  return kept;
}

int64_t count_trials(const Log& log, int64_t campaign) {
  return std::ranges::count_if(log.records, [campaign](const Record& record) {
    return record.kind == RecordKind::trial && record.campaign == campaign;
  });
}

}  // namespace

Log distill(const Log& log) {
  Log distilled;
  distilled.path = log.path;
  distilled.last_campaign = log.last_campaign;
  for (LogHeader header : log.headers) {
    if (!header.distilled_from) header.distilled_from = count_trials(log, header.campaign);
    distilled.headers.push_back(std::move(header));
  }
  const std::set<TrialKey> kept = kept_trials(log);
  const std::vector<const Record*> confirmations = last_sittings(log.records);
  const std::set<const Record*> counting(confirmations.begin(), confirmations.end());
  for (const Record& record : log.records) {
    const bool is_kept = record.kind == RecordKind::confirmation ? counting.contains(&record)
                                                                 : kept.contains(trial_key(record));
    if (is_kept) distilled.records.push_back(record);
  }
  distilled.others = log.others;  // kept: their meaning is unknown
  return distilled;
}

}  // namespace dovetail
