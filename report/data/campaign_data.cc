// SPDX-License-Identifier: Apache-2.0
#include "report/data/campaign_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/statistics.h"
#include "core/record/log/network_records.h"
#include "search/strategies/strategies.h"

namespace dovetail {
namespace {

// Spec, target, device, and cache state.
using TaskKey = std::tuple<std::string, std::string, std::string, Caches>;
using RunKey = std::pair<int64_t, std::string>;  // campaign in its log, spec

std::string without_numbers(const std::string& reason) {
  std::string pattern;
  for (size_t i = 0; i < reason.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(reason[i])) != 0;
    const bool point = reason[i] == '.' && i + 1 < reason.size() && !pattern.empty() &&
                       pattern.back() == '#' &&
                       std::isdigit(static_cast<unsigned char>(reason[i + 1])) != 0;
    if (!digit && !point)
      pattern += reason[i];
    else if (pattern.empty() || pattern.back() != '#')
      pattern += '#';
  }
  return pattern;
}

// "tune.jsonl#1"
std::string name_in(const Log& log, int64_t campaign) {
  return fmt::format("{}#{}", std::filesystem::path(log.path).filename().string(), campaign);
}

// Collects over logs; one log after the other.
class Collector {
 public:
  void add_log(const Log& log) {
    const size_t first_campaign = data_.campaigns.size();
    for (const LogHeader& header : log.headers) {
      data_.campaigns.push_back(
          {.log = log.path, .header = header, .name = name_in(log, header.campaign)});
    }
    std::map<RunKey, TaskRun> runs;
    std::vector<RunKey> order;
    add_stats(log, first_campaign, runs, order);
    for (const Record& record : log.records) add_record(log, record, runs);
    for (const BestTrial& best : best_trials(log.records))
      runs.at({best.record.campaign, best.record.task}).best = best;
    for (const RoundRecord& round : log.rounds) {
      const auto run = runs.find({round.campaign, round.task});
      if (run != runs.end()) run->second.rounds.push_back(round);
    }
    for (const RunKey& key : order) add_run(log, runs.at(key));
    add_networks(log);
    for (const LogWarning& warning : log.warnings)
      data_.warnings.push_back(print(warning, log.path));
  }

  CampaignData finish() && {
    for (auto& [key, failure] : failures_) {
      failure.kind.tasks = std::ssize(failure.tasks);
      data_.failures.push_back(std::move(failure.kind));
    }
    std::ranges::stable_sort(data_.failures, std::greater{}, &FailureKind::count);
    return std::move(data_);
  }

 private:
  using FailureKey = std::pair<Status, std::string>;
  struct Failure {
    FailureKind kind;
    std::set<std::string> tasks;
  };

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
    if (record.kind != RecordKind::confirmation) return;
    run.confirmations.push_back({record.sitting, timed});
    if (record.is_default) run.default_confirmations.push_back(timed);
  }

  void add_failure(const Log& log, const Record& record) {
    const FailureKey key{record.result.status, without_numbers(record.result.reason)};
    auto& [kind, tasks] = failures_[key];
    kind.status = key.first;
    kind.reason = key.second;
    kind.count += 1;
    tasks.insert(record.task);
    if (kind.example.empty()) {
      kind.example =
          fmt::format("{}.{}@{}", name_in(log, record.campaign), record.trial, record.task);
    }
  }

  // A later network replaces an earlier one for which is_of_one() holds.
  void add_networks(const Log& log) {
    for (const OtherLine& line : log.others) {
      if (line.kind != kNetworkKind) continue;
      Result<NetworkRecord> network = parse_network_record(line.object);
      if (!network) {
        data_.warnings.push_back(
            fmt::format("{}: a network: {}", log.path, network.error().message));
        continue;
      }
      std::erase_if(data_.networks, [&](const ChosenNetworkData& other) {
        return other.log == log.path && is_of_one(other.network, *network);
      });
      const int64_t since = std::max<int64_t>(num_trials(log) - network->trials, 0);
      data_.networks.push_back(
          {.log = log.path, .network = *std::move(network), .trials_since = since});
    }
  }

  void add_run(const Log& log, TaskRun& run) {
    std::ranges::stable_sort(run.valid, {}, &TimedTrial::trial);
    for (TimedTrial& trial : run.valid) trial.elapsed_seconds -= run.began_seconds;
    run.curve = best_so_far(run.valid);
    const std::string& device = log.header_of(run.stats.campaign)->device.name;
    const auto& [task_spec, target, caches] =
        std::tie(run.stats.task, run.stats.target, run.stats.caches);
    const auto [at, first] =
        place_.try_emplace({task_spec, target, device, caches}, data_.tasks.size());
    if (first)
      data_.tasks.push_back(
          {.spec = task_spec, .target = target, .device = device, .caches = caches});
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
  std::map<FailureKey, Failure> failures_;
};

}  // namespace

std::optional<double> TaskData::default_seconds() const {
  if (best_run && runs[*best_run].stats.default_seconds)
    return runs[*best_run].stats.default_seconds;
  for (const TaskRun& run : runs)
    if (run.stats.default_seconds) return run.stats.default_seconds;
  return std::nullopt;
}

std::string CampaignInfo::strategy() const {
  const auto option = header.options.find("strategy");
  return option == header.options.end() ? "?" : brief_strategy(option_text(option->second));
}

std::string option_text(const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : print(value);
}

std::vector<std::pair<const TaskData*, const TaskRun*>> CampaignData::runs() const {
  std::vector<std::pair<const TaskData*, const TaskRun*>> all;
  for (const TaskData& task : tasks)
    for (const TaskRun& run : task.runs) all.emplace_back(&task, &run);
  return all;
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
