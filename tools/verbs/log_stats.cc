// SPDX-License-Identifier: Apache-2.0
// The verb `log stats`.
#include <fmt/format.h>

#include <map>

#include "core/record/line/json_fields.h"
#include "core/record/statistics/log_stats.h"
#include "report/tables/model_table.h"
#include "report/tables/table.h"
#include "tools/verbs/log_verbs.h"

namespace dovetail {
namespace {

std::string json_of(const std::map<Status, int64_t>& failed) {
  JsonWriter writer;
  for (const auto& [status, count] : failed) writer.integer(print(status), count);
  return std::move(writer).finish();
}

std::string json_of(const MeasureTimes& times) {
  JsonWriter writer;
  write_times(writer, times);
  return std::move(writer).finish();
}

std::string record_name(const Log& log, const TaskStats& stats) {
  Record best;
  best.campaign = stats.campaign;
  best.task = stats.task;
  best.trial = stats.best_trial;
  return print(name_of(log, best));
}

std::string json_of(const Log& log, const TaskStats& stats) {
  JsonWriter writer;
  writer.text("log", log.path);
  writer.integer("campaign", stats.campaign);
  writer.text("spec", stats.task);
  writer.text("target", stats.target);
  writer.integer("trials", stats.trials);
  writer.integer("valid", stats.valid);
  writer.integer("rejected", stats.rejected);
  writer.raw("failed", json_of(stats.failed));
  writer.real_or_null("default_seconds", stats.default_seconds);
  writer.real_or_null("median_seconds", stats.median_seconds);
  writer.real_or_null("best_seconds", stats.best_seconds);
  writer.real_or_null("best_gflops", gflops_of(stats.task, stats.best_seconds));
  if (stats.best_trial > 0) writer.text("record", record_name(log, stats));
  writer.integer("confirmations", stats.confirmations);
  writer.integer("sentinels", stats.sentinels);
  writer.real_or_null("sentinel_spread", stats.sentinel_spread);
  writer.raw("time", json_of(stats.times));
  writer.real("elapsed_seconds", stats.elapsed_seconds);
  if (stats.model) writer.raw("model", json_text(*stats.model));
  return std::move(writer).finish();
}

std::string json_of(const Log& log, const LogHeader& header) {
  JsonWriter writer;
  writer.text("log", log.path);
  writer.integer("campaign", header.campaign);
  writer.text("id", header.id);
  writer.text("started", header.started);
  writer.text("tool", header.tool);
  writer.text("target", header.target);
  writer.text("device", header.device.name);
  writer.text("driver", header.driver);
  writer.natural("seed", header.seed);
  if (header.distilled_from) writer.integer("distilled_from", *header.distilled_from);
  return std::move(writer).finish();
}

void print_stats_json(const std::vector<Log>& logs, std::ostream& out) {
  std::vector<std::string> campaigns;
  std::vector<std::string> tasks;
  int64_t trials = 0;
  int64_t valid = 0;
  size_t warnings = 0;
  for (const Log& log : logs) {
    for (const LogHeader& header : log.headers) campaigns.push_back(json_of(log, header));
    for (const TaskStats& stats : log_stats(log.records, log.rounds)) {
      tasks.push_back(json_of(log, stats));
      trials += stats.trials;
      valid += stats.valid;
    }
    warnings += log.warnings.size();
  }
  JsonWriter writer;
  writer.integer("trials", trials);
  writer.integer("valid", valid);
  writer.integer("skipped_lines", int64_t(warnings));
  writer.raws("campaigns", campaigns);
  writer.raws("tasks", tasks);
  out << std::move(writer).finish() << "\n";
}

// "12 timeout, 7 wrong_output", "-" for none.
std::string failures(const std::map<Status, int64_t>& failed) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : failed) {
    counts.push_back(fmt::format("{} {}", count, print(status)));
  }
  return counts.empty() ? "-" : fmt::format("{}", fmt::join(counts, ", "));
}

void print_stats_table(const std::vector<Log>& logs, std::ostream& out) {
  Table table({{"campaign", Align::left},
               {"operator", Align::left},
               {"target", Align::left},
               {"trials"},
               {"valid"},
               {"rejected"},
               {"default (us)"},
               {"median (us)"},
               {"best (us)"},
               {"GFLOP/s"},
               {"drift (%)"},
               {"failed", Align::left}});
  Table models = model_table();
  for (const Log& log : logs) {
    for (const TaskStats& stats : log_stats(log.records, log.rounds)) {
      if (stats.model) add_model_row(stats.task, *stats.model, models);
      table.add_row({fmt::format("{}#{}", log.path, stats.campaign), stats.task, stats.target,
                     std::to_string(stats.trials), std::to_string(stats.valid),
                     std::to_string(stats.rejected), microseconds(stats.default_seconds),
                     microseconds(stats.median_seconds), microseconds(stats.best_seconds),
                     significant(gflops_of(stats.task, stats.best_seconds)),
                     stats.sentinel_spread ? percent(*stats.sentinel_spread) : "-",
                     failures(stats.failed)});
    }
  }
  out << print(table);
  if (models.num_rows() > 0) out << "\n" << print(models);
}

}  // namespace

int run_log_stats(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  const auto logs = read_logs(options, err);
  if (!logs) return refuse(logs.error(), err);
  if (options.json) {
    print_stats_json(*logs, out);
  } else {
    print_stats_table(*logs, out);
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace dovetail
