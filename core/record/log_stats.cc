// SPDX-License-Identifier: Apache-2.0
#include "core/record/log_stats.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/record/best_record.h"

namespace dovetail {
namespace {

using TaskKey = std::pair<int64_t, std::string>;  // campaign, task

// Numbers that are summed up at the end.
struct Samples {
  std::vector<double> valid_seconds;
  std::vector<double> sentinel_seconds;
};

void add_times(MeasureTimes& sum, const MeasureTimes& times) {
  sum.build_seconds += times.build_seconds;
  sum.run_seconds += times.run_seconds;
  sum.check_seconds += times.check_seconds;
  sum.search_seconds += times.search_seconds;
  sum.model_seconds += times.model_seconds;
}

void add_trial(TaskStats& stats, Samples& samples, const Record& record) {
  stats.trials += 1;
  if (record.result.status != Status::ok) {
    stats.failed[record.result.status] += 1;
    return;
  }
  stats.valid += 1;
  samples.valid_seconds.push_back(record.result.seconds);
  if (record.is_default && !stats.default_seconds) stats.default_seconds = record.result.seconds;
}

void add_record(TaskStats& stats, Samples& samples, const Record& record) {
  add_times(stats.times, record.result.times);
  stats.elapsed_seconds = std::max(stats.elapsed_seconds, record.elapsed_seconds);
  stats.rejected = std::max(stats.rejected, record.rejected);
  switch (record.kind) {
    case RecordKind::trial:
      add_trial(stats, samples, record);
      break;
    case RecordKind::confirmation:
      stats.confirmations += 1;
      break;
    case RecordKind::sentinel:
      stats.sentinels += 1;
      if (record.result.status == Status::ok) {
        samples.sentinel_seconds.push_back(record.result.seconds);
      }
      break;
  }
}

void summarize(TaskStats& stats, Samples samples) {
  if (!samples.valid_seconds.empty()) stats.median_seconds = median(samples.valid_seconds);
  if (samples.sentinel_seconds.size() >= 2) {
    const auto [fastest, slowest] =
        std::minmax_element(samples.sentinel_seconds.begin(), samples.sentinel_seconds.end());
    stats.sentinel_spread = *slowest / *fastest - 1;
  }
}

}  // namespace

std::vector<TaskStats> log_stats(std::span<const Record> records,
                                 std::span<const RoundRecord> rounds) {
  std::vector<TaskStats> all;
  std::vector<Samples> samples;
  std::map<TaskKey, size_t> place;
  for (const Record& record : records) {
    const auto [at, is_first] = place.try_emplace({record.campaign, record.task}, all.size());
    if (is_first) {
      all.emplace_back();
      all.back().campaign = record.campaign;
      all.back().task = record.task;
      all.back().target = record.target;
      samples.emplace_back();
    }
    add_record(all[at->second], samples[at->second], record);
  }
  for (size_t i = 0; i < all.size(); ++i) summarize(all[i], std::move(samples[i]));
  for (const BestTrial& best : best_trials(records)) {
    TaskStats& stats = all[place.at({best.record.campaign, best.record.task})];
    stats.best_seconds = best.seconds;
    stats.best_trial = best.record.trial;
  }
  std::map<TaskKey, std::vector<RoundRecord>> rounds_of;
  for (const RoundRecord& round : rounds) rounds_of[{round.campaign, round.task}].push_back(round);
  for (const auto& [key, of_task] : rounds_of) {
    const auto at = place.find(key);
    if (at != place.end()) all[at->second].model = round_stats(of_task);
  }
  return all;
}

namespace {

bool is_distilled(const Log& log, int64_t campaign) {
  const LogHeader* header = log.header_of(campaign);
  return header != nullptr && header->distilled_from.has_value();
}

// Trials are numbered without gaps; a number that is absent is a line that was lost, unless the
// campaign was distilled.
void find_gaps(const Log& log, std::vector<std::string>& gaps) {
  std::map<TaskKey, std::set<int64_t>> trials;
  for (const Record& record : log.records) {
    if (record.kind == RecordKind::trial) {
      trials[{record.campaign, record.task}].insert(record.trial);
    }
  }
  for (const auto& [key, numbers] : trials) {
    if (is_distilled(log, key.first)) continue;
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
  for (const Record& record : log.records) {
    (record.kind == RecordKind::trial ? check.num_trials : check.num_other_records) += 1;
  }
  check.num_rounds = int64_t(log.rounds.size());
  check.num_unknown = int64_t(log.others.size());
  for (const LogWarning& warning : log.warnings) {
    if (warning.torn) {
      check.torn = true;
    } else {
      check.bad_lines.push_back(warning);
    }
  }
  find_gaps(log, check.gaps);
  return check;
}

}  // namespace dovetail
