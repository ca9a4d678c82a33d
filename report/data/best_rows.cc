// SPDX-License-Identifier: Apache-2.0
#include "report/data/best_rows.h"

#include <map>
#include <tuple>

#include "core/record/line/caches.h"
#include "core/record/statistics/log_stats.h"

namespace dovetail {
namespace {

using RowKey = std::tuple<std::string, std::string, std::string>;  // task, target, device

class BestRows {
 public:
  void add(const Log& log) {
    for (const TaskStats& stats : log_stats(log.records)) {
      BestRow& row = row_of(log, stats.campaign, stats.task, stats.target);
      row.trials += stats.trials;
      if (!row.default_seconds) row.default_seconds = stats.default_seconds;
    }
    for (const BestTrial& best : best_trials(log.records)) {
      const Record& record = best.record;
      BestRow& row = row_of(log, record.campaign, record.task, record.target);
      if (row.best && row.best->seconds <= best.seconds) continue;
      row.best = best;
      row.record = print(name_of(log, record));
    }
  }

  std::vector<BestRow> take() && { return std::move(rows_); }

 private:
  BestRow& row_of(const Log& log, int64_t campaign, const std::string& task,
                  const std::string& target) {
    const std::string& device = log.header_of(campaign)->device.name;
    const auto [at, is_first] = place_.try_emplace({task, target, device}, rows_.size());
    if (is_first) {
      rows_.emplace_back();
      rows_.back().task = task;
      rows_.back().target = target;
      rows_.back().device = device;
    }
    return rows_[at->second];
  }

  std::vector<BestRow> rows_;  // in the order of the logs
  std::map<RowKey, size_t> place_;
};

}  // namespace

Result<std::vector<BestRow>> best_rows(std::span<const Log> logs) {
  TRY(caches_of(logs));
  BestRows best;
  for (const Log& log : logs) best.add(log);
  return std::move(best).take();
}

}  // namespace dovetail
