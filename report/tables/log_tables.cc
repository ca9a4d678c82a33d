// SPDX-License-Identifier: Apache-2.0
#include "report/tables/log_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/ir/region/task_spec.h"
#include "core/ir/region/work.h"
#include "core/record/line/json_fields.h"
#include "report/tables/model_table.h"
#include "report/tables/table.h"

namespace dovetail {
namespace {

// Absent for a spec that this version cannot parse.
std::optional<double> gflops_of_spec(const std::string& task,
                                     const std::optional<double>& seconds) {
  const auto spec = parse_task_spec(task);
  if (!spec || !seconds) return std::nullopt;
  return nominal_flops(spec->region) / *seconds / 1e9;
}

std::optional<double> best_seconds_of(const BestRow& row) {
  return row.best ? std::optional(row.best->seconds) : std::nullopt;
}

std::string json_of(const BestRow& row) {
  JsonWriter writer;
  writer.text("spec", row.task);
  writer.text("target", row.target);
  writer.text("device", row.device);
  writer.integer("trials", row.trials);
  writer.real_or_null("default_seconds", row.default_seconds);
  writer.real_or_null("seconds", best_seconds_of(row));
  writer.real_or_null("gflops", gflops_of_spec(row.task, best_seconds_of(row)));
  if (row.best) {
    writer.boolean("confirmed", row.best->confirmed);
    writer.text("record", row.record);
    writer.text("trace", row.best->record.trace);
  }
  return std::move(writer).finish();
}

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
  writer.real_or_null("best_gflops", gflops_of_spec(stats.task, stats.best_seconds));
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

// "12 timeout, 7 wrong_output", "-" for none.
std::string failures(const std::map<Status, int64_t>& failed) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : failed) {
    counts.push_back(fmt::format("{} {}", count, print(status)));
  }
  return counts.empty() ? "-" : fmt::format("{}", fmt::join(counts, ", "));
}

std::string json_of(const LogCheck& check) {
  std::vector<std::string> bad_lines;
  for (const LogWarning& warning : check.bad_lines) {
    JsonWriter line;
    line.integer("line", warning.line);
    line.text("reason", warning.text);
    bad_lines.push_back(std::move(line).finish());
  }
  JsonWriter writer;
  writer.text("log", check.path);
  writer.boolean("sound", check.sound());
  writer.integer("lines", check.num_lines);
  writer.integer("campaigns", check.num_campaigns);
  writer.integer("distilled_campaigns", check.num_distilled);
  writer.integer("trials", check.num_trials);
  writer.integer("other_records", check.num_other_records);
  writer.integer("rounds", check.num_rounds);
  writer.integer("unknown_lines", check.num_unknown);
  writer.boolean("torn", check.torn);
  writer.raws("bad_lines", bad_lines);
  writer.texts("gaps", check.gaps);
  return std::move(writer).finish();
}

}  // namespace

std::string best_json(std::span<const BestRow> rows) {
  std::vector<std::string> items;
  for (const BestRow& row : rows) items.push_back(json_of(row));
  JsonWriter writer;
  writer.integer("count", int64_t(rows.size()));
  writer.raws("tasks", items);
  return std::move(writer).finish() + "\n";
}

std::string best_table(std::span<const BestRow> rows) {
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
                   microseconds(row.default_seconds), microseconds(best_seconds_of(row)),
                   significant(gflops_of_spec(row.task, best_seconds_of(row))),
                   row.best ? row.record : "-"});
  }
  return print(table);
}

std::string stats_json(std::span<const Log> logs) {
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
  return std::move(writer).finish() + "\n";
}

std::string stats_table(std::span<const Log> logs) {
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
                     significant(gflops_of_spec(stats.task, stats.best_seconds)),
                     stats.sentinel_spread ? percent(*stats.sentinel_spread) : "-",
                     failures(stats.failed)});
    }
  }
  return print(table) + (models.num_rows() > 0 ? "\n" + print(models) : "");
}

std::string check_text(const LogCheck& check) {
  std::string text;
  for (const LogWarning& warning : check.bad_lines) text += print(warning, check.path) + "\n";
  for (const std::string& gap : check.gaps) text += fmt::format("{}: {}\n", check.path, gap);
  if (check.num_unknown > 0) {
    text += fmt::format("{}: {} lines of kinds that this version does not know; kept, not read\n",
                        check.path, check.num_unknown);
  }
  if (check.torn) text += fmt::format("{}: unfinished last line; no damage\n", check.path);
  const std::string distilled =
      check.num_distilled > 0 ? fmt::format(" ({} distilled)", check.num_distilled) : "";
  text += fmt::format(
      "{}: {}; {} lines, {} campaigns{}, {} trials, {} other records, {} bad lines\n", check.path,
      check.sound() ? "sound" : "damaged", check.num_lines, check.num_campaigns, distilled,
      check.num_trials, check.num_other_records, check.bad_lines.size());
  return text;
}

std::string check_json(std::span<const LogCheck> checks) {
  std::vector<std::string> items;
  for (const LogCheck& check : checks) items.push_back(json_of(check));
  JsonWriter writer;
  writer.boolean("sound", std::ranges::all_of(checks, &LogCheck::sound));
  writer.raws("logs", items);
  return std::move(writer).finish() + "\n";
}

std::string counts_text(std::span<const Log> logs, const std::string& file, bool json) {
  int64_t campaigns = 0, trials = 0, others = 0;
  for (const Log& log : logs) {
    campaigns += int64_t(log.headers.size());
    const int64_t here = std::ranges::count(log.records, RecordKind::trial, &Record::kind);
    trials += here;
    others += int64_t(log.records.size()) - here;
  }
  if (!json) {
    return fmt::format("{}: {} campaigns, {} trials, {} other records\n", file, campaigns, trials,
                       others);
  }
  JsonWriter writer;
  writer.text("file", file);
  writer.integer("campaigns", campaigns);
  writer.integer("trials", trials);
  writer.integer("other_records", others);
  return std::move(writer).finish() + "\n";
}

}  // namespace dovetail
