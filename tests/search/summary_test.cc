// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "core/record/log/best_record.h"
#include "core/record/statistics/log_stats.h"
#include "search/history.h"

namespace dovetail {
namespace {

// All lines of one task of a campaign, as a tuner would write them.
struct Lines {
  std::vector<Record> records;
  std::vector<RoundRecord> rounds;
};

class AnyCampaign {
 public:
  explicit AnyCampaign(uint64_t seed) : rng_(seed) {}

  // With so many valid trials, and failures between them, it has more than a History keeps.
  Lines lines(int64_t trials, int64_t different_times, size_t finalists) {
    for (int64_t number = 1; number <= trials; ++number) {
      add(any_trial(number, different_times));
      const bool is_valid = lines_.records.back().result.status == Status::ok;
      if (first_valid_ == 0 && is_valid) first_valid_ = number;
      if (first_valid_ != 0 && number % 50 == 0) add(again(RecordKind::sentinel, first_valid_));
      if (number % 16 == 0) lines_.rounds.push_back(any_round(number));
    }
    for (const Record& finalist : find_finalists(lines_.records, finalists))
      add(again(RecordKind::confirmation, finalist.trial));
    return lines_;
  }

 private:
  uint64_t draw(uint64_t count) { return rng_() % count; }

  Record any_record() {
    Record record;
    record.task = "gmm:m=8,n=8,k=8";
    record.target = "cpu";
    record.elapsed_seconds = static_cast<double>(lines_.records.size());
    record.rejected = static_cast<int64_t>(lines_.records.size() / 3);
    record.result.times = {.build_seconds = 1e-3 * static_cast<double>(draw(50)),
                           .run_seconds = 1e-3 * static_cast<double>(draw(50)),
                           .check_seconds = 1e-3 * static_cast<double>(draw(50))};
    return record;
  }

  void set_result(Record& record, double seconds) {
    constexpr std::array kHowToFail = {Status::timeout, Status::wrong_output, Status::build_error};
    const bool fails = draw(5) == 0;
    record.result.status = fails ? kHowToFail[draw(3)] : Status::ok;
    record.result.reason = fails ? "reason " + std::to_string(draw(9)) : "";
    record.result.seconds = fails ? 0 : seconds;
    if (!fails) record.result.samples.assign(3, seconds);
  }

  Record any_trial(int64_t number, int64_t different_times) {
    Record record = any_record();
    record.trial = number;
    record.trace = "loops: split(loop=m, factor=" + std::to_string(number) + ")\n";
    record.is_default = number == 1;
    set_result(record, 1e-6 * static_cast<double>(1 + draw(different_times)));
    record.result.workspace_bytes = static_cast<int64_t>(draw(3));
    return record;
  }

  Record again(RecordKind kind, int64_t trial) {
    Record record = any_record();
    record.kind = kind;
    record.trial = trial;
    set_result(record, 1e-6 * static_cast<double>(1 + draw(20)));
    return record;
  }

  RoundRecord any_round(int64_t number) {
    RoundRecord round;
    round.round = number / 16;
    round.task = "gmm:m=8,n=8,k=8";
    round.cost_model = "xgboost";
    round.kendall_tau = static_cast<double>(draw(100)) / 100;
    if (number < 100) round.fresh_kendall_tau = static_cast<double>(draw(100)) / 100;
    return round;
  }

  void add(Record record) { lines_.records.push_back(std::move(record)); }

  std::mt19937_64 rng_;
  Lines lines_;
  int64_t first_valid_ = 0;
};

TuneSummary summary_of(const Lines& lines) {
  History history({}, {});
  history.write_rounds(lines.rounds, {});
  for (const Record& record : lines.records) history.remember(record);
  for (const RoundRecord& round : lines.rounds) RC_ASSERT(history.add_round(round).has_value());
  return summarize(history);
}

std::optional<double> drift_of(const std::vector<Record>& records) {
  std::optional<double> drift;
  for (const Record& sentinel : records) {
    if (sentinel.kind != RecordKind::sentinel || sentinel.result.status != Status::ok) continue;
    const Record& trial = *std::ranges::find(records, sentinel.trial, &Record::trial);
    const double change = sentinel.result.seconds / trial.result.seconds - 1;
    if (!drift || std::abs(change) > std::abs(*drift)) drift = change;
  }
  return drift;
}

std::string first_failure(const std::vector<Record>& records, RecordKind kind) {
  for (const Record& record : records) {
    if (record.kind == kind && record.result.status != Status::ok)
      return std::string(print(record.result.status)) + ": " + record.result.reason;
  }
  return "";
}

std::string failure_of(const std::vector<Record>& records) {
  const std::string again = first_failure(records, RecordKind::confirmation);
  return again.empty() ? first_failure(records, RecordKind::trial) : "measured again: " + again;
}

RC_GTEST_PROP(SummaryLaw, OfWhatIsRememberedIsThatOfAllRecords, ()) {
  const Lines lines = AnyCampaign(*rc::gen::arbitrary<uint64_t>())
                          .lines(*rc::gen::inRange(1, 900), *rc::gen::element(1, 2, 100, 100'000),
                                 *rc::gen::element<size_t>(0, 1, 5, 30));
  const TuneSummary summary = summary_of(lines);
  RC_ASSERT(summary.stats == log_stats(lines.records, lines.rounds).front());
  const std::vector<BestTrial> best = best_trials(lines.records);
  RC_ASSERT(summary.best.has_value() == !best.empty());
  if (summary.best) {
    RC_ASSERT(summary.best->record == best.front().record);
    RC_ASSERT(summary.best->seconds == best.front().seconds);
    RC_ASSERT(summary.best->confirmed == best.front().confirmed);
    RC_ASSERT(summary.best->tied == best.front().tied);
  }
  RC_ASSERT(summary.drift == drift_of(lines.records));
  RC_ASSERT(summary.failure == failure_of(lines.records));
}

}  // namespace
}  // namespace dovetail
