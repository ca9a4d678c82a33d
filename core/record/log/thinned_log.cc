// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/thinned_log.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/record/line/trace_text.h"

namespace dovetail {
namespace {

// Confirmations follow their trials, so a first pass collects them.
Result<std::set<TrialKey>> confirmed_trials(const std::string& path) {
  const std::string kind = "\"" + std::string(print(RecordKind::confirmation)) + "\"";
  std::set<TrialKey> confirmed;
  TRY(scan_log(
      path, [&](std::string_view text) { return text.find(kind) != std::string_view::npos; },
      [&](LogLine& line) -> Result<void> {
        const auto* record = std::get_if<Record>(&line.content);
        if (record != nullptr && record->kind == RecordKind::confirmation)
          confirmed.insert(trial_key(*record));
        return {};
      }));
  return confirmed;
}

class Thinner {
 public:
  Thinner(const Thinning& thinning, std::set<TrialKey> confirmed)
      : thinning_(thinning), confirmed_(std::move(confirmed)) {}

  void grown(Log& log) {
    if (log.records.size() >= next_size_) thin(log);
  }

  // Thinning early is safe: as more is read, slow trials stay slow, and faster ones stay faster, so
  // a trial dropped now would be dropped from the whole log, too.
  void thin(Log& log) {
    log.rounds.clear();
    std::erase_if(log.records, [&](const Record& record) {
      if (record.kind == RecordKind::sentinel) return true;
      return thinning_.exact && !recorded_algorithm(record.trace.text()).empty();
    });
    const size_t before = log.records.size();
    const std::set<const Record*> taken = taken_trials(log.records);
    std::vector<Record> kept;
    for (Record& record : log.records)
      if (record.kind != RecordKind::trial || taken.contains(&record))
        kept.push_back(std::move(record));
    log.num_thinned += static_cast<int64_t>(before - kept.size());
    log.records = std::move(kept);
    next_size_ = 2 * log.records.size() + thinning_.batch;
  }

 private:
  using TaskKey = std::tuple<int64_t, std::string_view, std::string_view, Caches>;

  std::set<const Record*> taken_trials(const std::vector<Record>& records) const {
    std::map<TaskKey, std::vector<const Record*>> tasks;
    std::set<std::pair<int64_t, std::string_view>> known;
    std::set<const Record*> taken;
    for (const Record& record : records) {
      if (record.kind != RecordKind::trial) continue;
      // Each task's first trial stays, even if it failed: names of records include the task where a
      // campaign has several.
      if (known.insert({record.campaign, record.task}).second) taken.insert(&record);
      if (record.result.status == Status::ok)
        tasks[{record.campaign, record.task, record.target, record.caches}].push_back(&record);
    }
    for (auto& [key, trials] : tasks) add_taken(std::move(trials), taken);
    return taken;
  }

  void add_taken(std::vector<const Record*> trials, std::set<const Record*>& taken) const {
    const auto seconds = [](const Record* record) { return record->result.seconds; };
    std::ranges::stable_sort(trials, {}, seconds);
    size_t fast = 0;
    std::map<std::string, size_t> slow;
    for (const Record* trial : trials) {
      const bool is_slow = seconds(trial) > thinning_.slowest * seconds(trials.front());
      if (confirmed_.contains(trial_key(*trial)))
        taken.insert(trial);
      else if (!is_slow && fast++ < thinning_.most_fast)
        taken.insert(trial);
      else if (slow[way_of(trial->trace.text())]++ < thinning_.most_slow)
        taken.insert(trial);
    }
  }

  Thinning thinning_;
  std::set<TrialKey> confirmed_;
  size_t next_size_ = thinning_.batch;
};

}  // namespace

Result<Log> read_thinned(const std::string& path, const Thinning& thinning) {
  Thinner thinner(thinning, TRY(confirmed_trials(path)));
  Log log = TRY(read_log(path, [&](Log& grown) { thinner.grown(grown); }));
  thinner.thin(log);
  return log;
}

}  // namespace dovetail
