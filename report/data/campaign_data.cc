// SPDX-License-Identifier: Apache-2.0
#include "report/data/campaign_data.h"
#include "core/base/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace dovetail {
namespace {

using TaskKey = std::tuple<std::string, std::string, std::string>;  // spec, target, device
using RunKey = std::pair<int64_t, std::string>;                     // campaign in its log, spec

std::string without_numbers(const std::string& reason) {
  std::string pattern;
  for (size_t i = 0; i < reason.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(reason[i])) != 0;
    const bool point = reason[i] == '.' && i + 1 < reason.size() && !pattern.empty() &&
                       pattern.back() == '#' &&
                       std::isdigit(static_cast<unsigned char>(reason[i + 1])) != 0;
    if (!digit && !point) {
      pattern += reason[i];
    } else if (pattern.empty() || pattern.back() != '#') {
      pattern += '#';
    }
  }
  return pattern;
}

// Collects over logs; one log after the other.
class Collector {
 public:
  void add_log(const Log& log) {
    const size_t first_campaign = data_.campaigns.size();
    for (const LogHeader& header : log.headers) add_campaign(log, header);
    std::map<RunKey, TaskRun> runs;
    std::vector<RunKey> order;
    add_stats(log, first_campaign, runs, order);
    for (const Record& record : log.records) add_record(log, record, runs);
    for (const BestTrial& best : best_trials(log.records)) {
      runs.at({best.record.campaign, best.record.task}).best = best;
    }
    time_defaults(log, runs);
    for (const RoundRecord& round : log.rounds) {
      const auto run = runs.find({round.campaign, round.task});
      if (run != runs.end()) run->second.rounds.push_back(round);
    }
    for (const RunKey& key : order) add_run(log, runs.at(key));
    for (const LogWarning& warning : log.warnings) {
      data_.warnings.push_back(print(warning, log.path));
    }
  }

  CampaignData finish() && {
    for (auto& [key, tasks] : failed_tasks_) failures_.at(key).tasks = int64_t(tasks.size());
    for (auto& [key, failure] : failures_) data_.failures.push_back(std::move(failure));
    std::ranges::stable_sort(data_.failures, std::greater{}, &FailureKind::count);
    return std::move(data_);
  }

 private:
  using FailureKey = std::pair<Status, std::string>;

  void add_campaign(const Log& log, const LogHeader& header) {
    CampaignInfo info;
    info.log = log.path;
    info.header = header;
    info.name =
        fmt::format("{}#{}", std::filesystem::path(log.path).filename().string(), header.campaign);
    data_.campaigns.push_back(std::move(info));
  }

  void add_stats(const Log& log, size_t first_campaign, std::map<RunKey, TaskRun>& runs,
                 std::vector<RunKey>& order) {
    for (TaskStats& stats : log_stats(log.records)) {
      TaskRun run;
      for (run.campaign = first_campaign;
           data_.campaigns[run.campaign].header.campaign != stats.campaign; ++run.campaign) {
      }
      CampaignInfo& campaign = data_.campaigns[run.campaign];
      campaign.wall_seconds = std::max(campaign.wall_seconds, stats.elapsed_seconds);
      campaign.trials += stats.trials;
      campaign.valid += stats.valid;
      campaign.rejected += stats.rejected;
      campaign.times += stats.times;
      run.began_seconds = std::numeric_limits<double>::infinity();
      const RunKey key{stats.campaign, stats.task};
      run.stats = std::move(stats);
      runs.emplace(key, std::move(run));
      order.push_back(key);
    }
  }

  void add_record(const Log& log, const Record& record, std::map<RunKey, TaskRun>& runs) {
    TaskRun& run = runs.at({record.campaign, record.task});
    const MeasureResult& result = record.result;
    const double spent = total(result.times);
    run.began_seconds = std::min(run.began_seconds, std::max(record.elapsed_seconds - spent, 0.0));
    if (record.kind == RecordKind::trial) run.last_trial = std::max(run.last_trial, record.trial);
    if (result.status != Status::ok) {
      add_failure(log, record);
      return;
    }
    const TimedTrial timed{record.trial, record.elapsed_seconds, result.seconds};
    if (record.kind == RecordKind::sentinel) run.sentinels.push_back(timed);
    if (record.kind == RecordKind::trial) run.valid.push_back(timed);
  }

  static void time_defaults(const Log& log, std::map<RunKey, TaskRun>& runs) {
    struct Readings {
      std::vector<double> confirmed, others;
    };
    std::map<RunKey, Readings> readings;
    for (const Record& record : log.records) {
      if (!record.is_default || record.result.status != Status::ok) continue;
      Readings& of_run = readings[{record.campaign, record.task}];
      const bool fresh = record.kind == RecordKind::confirmation;
      (fresh ? of_run.confirmed : of_run.others).push_back(record.result.seconds);
    }
    for (const auto& [key, of_run] : readings) {
      runs.at(key).default_seconds =
          median(of_run.confirmed.empty() ? of_run.others : of_run.confirmed);
    }
  }

  void add_failure(const Log& log, const Record& record) {
    const FailureKey key{record.result.status, without_numbers(record.result.reason)};
    FailureKind& failure = failures_[key];
    failure.status = key.first;
    failure.reason = key.second;
    failure.count += 1;
    failed_tasks_[key].insert(record.task);
    if (failure.example.empty()) {
      failure.example =
          fmt::format("{}#{}.{}@{}", std::filesystem::path(log.path).filename().string(),
                      record.campaign, record.trial, record.task);
    }
  }

  void add_run(const Log& log, TaskRun& run) {
    std::ranges::stable_sort(run.valid, {}, &TimedTrial::trial);
    double best = std::numeric_limits<double>::infinity();
    for (TimedTrial& trial : run.valid) {
      trial.elapsed_seconds -= run.began_seconds;
      if (trial.seconds < best) run.curve.push_back(trial);
      best = std::min(best, trial.seconds);
    }
    const std::string& device = log.header_of(run.stats.campaign)->device.name;
    const auto [at, first] =
        place_.try_emplace({run.stats.task, run.stats.target, device}, data_.tasks.size());
    if (first) {
      TaskData& added = data_.tasks.emplace_back();
      added.spec = run.stats.task;
      added.target = run.stats.target;
      added.device = device;
    }
    TaskData& task = data_.tasks[at->second];
    const bool better = run.best && (!task.best() || run.best->seconds < task.best()->seconds);
    if (better) {
      task.best_run = task.runs.size();
      task.best_name = print(name_of(log, run.best->record));
    }
    task.runs.push_back(std::move(run));
  }

  CampaignData data_;
  std::map<TaskKey, size_t> place_;
  std::map<FailureKey, FailureKind> failures_;
  std::map<FailureKey, std::set<std::string>> failed_tasks_;
};

}  // namespace

std::optional<double> TaskData::default_seconds() const {
  if (best_run && runs[*best_run].default_seconds) return runs[*best_run].default_seconds;
  for (const TaskRun& run : runs) {
    if (run.default_seconds) return run.default_seconds;
  }
  return std::nullopt;
}

std::string CampaignInfo::strategy() const {
  const auto option = header.options.find("strategy");
  if (option == header.options.end()) return "?";
  const auto* text = std::get_if<std::string>(&option->second);
  return text != nullptr ? *text : print(option->second);
}

Result<CampaignData> campaign_data(std::span<const LogTail> tails) {
  Collector collector;
  for (const LogTail& tail : tails) collector.add_log(tail.log());
  CampaignData data = std::move(collector).finish();
  for (TaskData& task : data.tasks) {
    if (!task.best_run) continue;
    const std::string& log = data.campaigns[task.runs[*task.best_run].campaign].log;
    const auto tail =
        std::ranges::find_if(tails, [&](const LogTail& one) { return one.log().path == log; });
    task.best_trace = TRY(tail->trace_of(task.best()->record));
  }
  return data;
}

}  // namespace dovetail
