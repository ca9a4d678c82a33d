// SPDX-License-Identifier: Apache-2.0
// The verb `log best`.
#include <map>
#include <tuple>

#include "core/record/line/caches.h"
#include "core/record/line/json_fields.h"
#include "core/record/log/best_record.h"
#include "core/record/statistics/log_stats.h"
#include "report/tables/table.h"
#include "tools/verbs/log_verbs.h"

namespace dovetail {
namespace {

struct BestRow {
  std::string task;
  std::string target;
  std::string device;
  std::optional<BestTrial> best;
  std::string record;  // its name
  int64_t trials = 0;
  std::optional<double> default_seconds;
};

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

  const std::vector<BestRow>& rows() const { return rows_; }

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

std::optional<double> seconds_of(const BestRow& row) {
  return row.best ? std::optional(row.best->seconds) : std::nullopt;
}

std::string json_of(const BestRow& row) {
  JsonWriter writer;
  writer.text("spec", row.task);
  writer.text("target", row.target);
  writer.text("device", row.device);
  writer.integer("trials", row.trials);
  writer.real_or_null("default_seconds", row.default_seconds);
  writer.real_or_null("seconds", seconds_of(row));
  writer.real_or_null("gflops", gflops_of(row.task, seconds_of(row)));
  if (row.best) {
    writer.boolean("confirmed", row.best->confirmed);
    writer.text("record", row.record);
    writer.text("trace", row.best->record.trace);
  }
  return std::move(writer).finish();
}

void print_best(const std::vector<BestRow>& rows, bool json, std::ostream& out) {
  if (json) {
    std::vector<std::string> items;
    for (const BestRow& row : rows) items.push_back(json_of(row));
    JsonWriter writer;
    writer.integer("count", int64_t(rows.size()));
    writer.raws("tasks", items);
    out << std::move(writer).finish() << "\n";
    return;
  }
  Table table({{"operator", Align::left},
               {"target", Align::left},
               {"device", Align::left},
               {"trials"},
               {"default (us)"},
               {"best (us)"},
               {"GFLOP/s"},
               {"record", Align::left}});
  for (const BestRow& row : rows) {
    table.add_row({row.task, row.target, row.device, std::to_string(row.trials),
                   microseconds(row.default_seconds), microseconds(seconds_of(row)),
                   significant(gflops_of(row.task, seconds_of(row))), row.best ? row.record : "-"});
  }
  out << print(table);
}

}  // namespace

int run_log_best(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  const auto logs = read_logs(options, err);
  if (!logs) return refuse(logs.error(), err);
  if (const auto caches = caches_of(*logs); !caches) return refuse(caches.error(), err);
  BestRows best;
  for (const Log& log : *logs) best.add(log);
  print_best(best.rows(), options.json, out);
  const bool all_valid = std::all_of(best.rows().begin(), best.rows().end(),
                                     [](const BestRow& row) { return row.best.has_value(); });
  return all_valid ? static_cast<int>(ExitCode::done) : static_cast<int>(ExitCode::no_candidate);
}

}  // namespace dovetail
