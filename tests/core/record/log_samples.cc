// SPDX-License-Identifier: Apache-2.0
#include "tests/core/record/log_samples.h"

#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "core/base/check.h"
#include "core/record/log/best_record.h"
#include "tests/core/record/record_samples.h"

namespace dovetail::testing {
namespace {

const std::vector<std::string> kTasks = {"gmm:m=512,n=512,k=512", "gmm:m=8,n=8,k=8"};
constexpr int64_t kTrials = 6;

// The campaign's id alone decides what it measured.
Record measured(const std::string& id, const std::string& task, int64_t trial) {
  const size_t noise = std::hash<std::string>{}(id + task + std::to_string(trial));
  Record record = noise % 5 == 0 ? sample_failure(trial) : sample_trial(trial);
  record.task = task;
  record.is_default = trial == 1;
  if (noise % 3 == 0) record.trace = "algorithm: winograd(tile=2)\n" + record.trace.text();
  if (record.result.status == Status::ok) {
    record.result.seconds = 1e-3 * double(1 + noise % 4);
    record.result.samples = {record.result.seconds};
  }
  record.elapsed_seconds = 0.5 * double(2 * trial + (task == kTasks[0] ? 0 : 1));
  if (noise % 2 == 0) record.unknown["colour"] = "\"red\"";
  if (noise % 7 == 0) record.unknown_times["lease"] = "0.5";
  return record;
}

Record again(Record record, RecordKind kind, double elapsed_seconds) {
  record.kind = kind;
  record.trace = {};
  record.elapsed_seconds = elapsed_seconds;
  return record;
}

RoundRecord judged(const std::string& id, const std::string& task, int64_t round) {
  RoundRecord record = sample_round(round);
  record.task = task;
  record.kendall_tau = double(std::hash<std::string>{}(id + task) % 200) / 100 - 1;
  return record;
}

bool maybe() { return *rc::gen::arbitrary<bool>(); }

}  // namespace

Log any_part_of_campaign(const std::string& id, int64_t number) {
  Log log;
  LogHeader header = sample_header();
  header.id = id;
  header.started = "2026-11-20T08:15:0" + std::to_string(id.size() % 10) + "Z";
  header.campaign = number;
  header.unknown["mood"] = "\"good\"";
  log.headers = {header};
  log.last_campaign = number;
  for (int64_t trial = 1; trial <= kTrials; ++trial) {
    for (const std::string& task : kTasks) {
      if (maybe()) log.records.push_back(measured(id, task, trial));
    }
  }
  const std::vector<Record> trials = log.records;
  for (const Record& record : trials) {
    const double late = 100 + record.elapsed_seconds;
    if (maybe()) log.records.push_back(again(record, RecordKind::confirmation, late));
    if (maybe()) log.records.push_back(again(record, RecordKind::confirmation, late + 50));
    if (record.trial == 1 && maybe()) {
      log.records.push_back(again(record, RecordKind::sentinel, late + 100));
    }
  }
  std::ranges::sort(log.records, {}, &Record::elapsed_seconds);
  for (Record& record : log.records) record.campaign = number;
  for (int64_t round = 1; round <= 2; ++round) {
    for (const std::string& task : kTasks) {
      if (maybe()) log.rounds.push_back(judged(id, task, round));
    }
  }
  for (RoundRecord& round : log.rounds) round.campaign = number;
  if (maybe()) {
    log.others.push_back(
        with_campaign(*parse_other(R"({"kind":"power","campaign":1,"watts":9})"), number));
  }
  return log;
}

Log any_log() {
  std::vector<std::string> ids;
  for (const char* id : {"a", "bb", "cc", "dddd"}) {
    if (ids.size() < 3 && maybe()) ids.emplace_back(id);
  }
  if (ids.empty()) ids.emplace_back("a");
  Log log;
  for (size_t i = 0; i < ids.size(); ++i) {
    const Log part = any_part_of_campaign(ids[i], int64_t(i) + 1);
    log.headers.push_back(part.headers.front());
    log.records.insert(log.records.end(), part.records.begin(), part.records.end());
    log.rounds.insert(log.rounds.end(), part.rounds.begin(), part.rounds.end());
    log.others.insert(log.others.end(), part.others.begin(), part.others.end());
    log.last_campaign = int64_t(i) + 1;
  }
  return log;
}

std::vector<std::string> best_texts(const std::vector<Record>& records) {
  std::vector<std::string> all;
  for (const BestTrial& best : best_trials(records)) {
    std::ostringstream text;
    text << print(best.record) << " " << best.seconds << " " << best.confirmed;
    for (const int64_t tied : best.tied) text << " " << tied;
    all.push_back(text.str());
  }
  return all;
}

Log reread(const Log& log) {
  const TemporaryFolder folder;
  const std::string path = folder.path("log.jsonl");
  write_file(path, print(log));
  Result<Log> read = read_log(path);
  CHECK(read.has_value(), "a printed log is a log");
  return *std::move(read);
}

}  // namespace dovetail::testing
