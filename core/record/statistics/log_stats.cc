// SPDX-License-Identifier: Apache-2.0
#include "core/record/statistics/log_stats.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/record/line/network_record.h"
#include "core/record/log/best_record.h"

namespace dovetail {
namespace {

using TaskKey = std::pair<int64_t, std::string>;  // campaign, task

}  // namespace

std::vector<TaskStats> log_stats(std::span<const Record> records,
                                 std::span<const RoundRecord> rounds) {
  std::vector<TaskTally> tallies;
  std::map<TaskKey, size_t> place;
  for (const Record& record : records) {
    const auto [at, is_first] = place.try_emplace({record.campaign, record.task}, tallies.size());
    if (is_first) tallies.emplace_back();
    tallies[at->second].add(record);
  }
  for (const RoundRecord& round : rounds) {
    const auto at = place.find({round.campaign, round.task});
    if (at != place.end()) tallies[at->second].add(round);
  }
  std::vector<TaskStats> all;
  for (const TaskTally& tally : tallies) all.push_back(tally.stats());
  for (const BestTrial& best : best_trials(records)) {
    TaskStats& stats = all[place.at({best.record.campaign, best.record.task})];
    stats.best_seconds = best.seconds;
    stats.best_trial = best.record.trial;
  }
  return all;
}

namespace {

// Trials are numbered without gaps: a missing number is a lost line, unless the campaign was
// distilled.
void find_gaps(const Log& log, std::vector<std::string>& gaps) {
  std::map<TaskKey, std::set<int64_t>> trials;
  for (const Record& record : log.records)
    if (record.kind == RecordKind::trial)
      trials[{record.campaign, record.task}].insert(record.trial);
  for (const auto& [key, numbers] : trials) {
    const LogHeader* header = log.header_of(key.first);
    if (header != nullptr && header->distilled_from) continue;
    int64_t expected = 1;
    for (const int64_t number : numbers) {
      if (number > expected) {
        const std::string missing =
            number == expected + 1
                ? fmt::format("trial {} is missing", expected)
                : fmt::format("trials {} to {} are missing", expected, number - 1);
        gaps.push_back(fmt::format("campaign {}, {}: {}", key.first, key.second, missing));
      }
      expected = number + 1;
    }
  }
  for (const Record& record : log.records) {
    const auto task = trials.find({record.campaign, record.task});
    if (record.kind == RecordKind::trial) continue;
    if (task == trials.end() || !task->second.contains(record.trial)) {
      gaps.push_back(fmt::format("campaign {}, {}: a {} is of trial {}, which is missing",
                                 record.campaign, record.task, print(record.kind), record.trial));
    }
  }
}

}  // namespace

Result<LogCheck> check_log(const std::string& path) {
  const Log log = TRY(read_log(path));
  LogCheck check;
  check.path = path;
  check.num_lines = log.num_lines;
  check.num_campaigns = int64_t(log.headers.size());
  check.num_distilled = std::ranges::count_if(
      log.headers, [](const LogHeader& header) { return header.distilled_from.has_value(); });
  check.num_trials = std::ranges::count(log.records, RecordKind::trial, &Record::kind);
  check.num_other_records = std::ssize(log.records) - check.num_trials;
  check.num_rounds = int64_t(log.rounds.size());
  check.num_networks = std::ranges::count(log.others, kNetworkKind, &OtherLine::kind);
  check.num_unknown = std::ssize(log.others) - check.num_networks;
  for (const LogWarning& warning : log.warnings) {
    check.torn = check.torn || warning.torn;
    if (!warning.torn) check.bad_lines.push_back(warning);
  }
  find_gaps(log, check.gaps);
  return check;
}

}  // namespace dovetail
