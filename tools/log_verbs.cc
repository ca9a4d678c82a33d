// SPDX-License-Identifier: Apache-2.0
#include "tools/log_verbs.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/ir/operator.h"
#include "core/record/best_record.h"
#include "core/record/json_fields.h"
#include "core/record/log.h"
#include "core/record/log_stats.h"
#include "tools/table.h"

namespace dovetail {
namespace {

constexpr int kDone = 0;
constexpr int kBadInput = 1;
constexpr int kNoValidCandidate = 2;

std::string json_list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ","));
}

void real_or_null(JsonWriter& writer, std::string_view name, const std::optional<double>& value) {
  if (value) {
    writer.real(name, *value);
  } else {
    writer.raw(name, "null");
  }
}

// Absent for a spec that this version cannot parse.
std::optional<double> gflops_of(const std::string& task, const std::optional<double>& seconds) {
  const auto op = parse_operator(task);
  if (!op || !seconds) return std::nullopt;
  return nominal_flops(*op) / *seconds / 1e9;
}

Result<std::vector<Log>> read_logs(const LogVerbOptions& options, std::ostream& err) {
  std::vector<Log> logs;
  for (const std::string& path : options.logs) {
    logs.push_back(TRY(read_log(path)));
    warn(logs.back(), err);
  }
  return logs;
}

// Prints why and gives the exit code.
int refuse(const Error& error, std::ostream& err) {
  err << error.message << "\n";
  return kBadInput;
}

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
  real_or_null(writer, "default_seconds", row.default_seconds);
  real_or_null(writer, "seconds", seconds_of(row));
  real_or_null(writer, "gflops", gflops_of(row.task, seconds_of(row)));
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
    writer.raw("tasks", json_list(items));
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

void warn(const Log& log, std::ostream& err) {
  constexpr size_t kMostShown = 5;
  for (size_t i = 0; i < std::min(log.warnings.size(), kMostShown); ++i) {
    err << print(log.warnings[i], log.path) << "\n";
  }
  if (log.warnings.size() > kMostShown) {
    err << fmt::format("{}: {} more such lines; `log verify` lists them\n", log.path,
                       log.warnings.size() - kMostShown);
  }
}

int run_log_best(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  const auto logs = read_logs(options, err);
  if (!logs) return refuse(logs.error(), err);
  BestRows best;
  for (const Log& log : *logs) best.add(log);
  print_best(best.rows(), options.json, out);
  const bool all_valid = std::all_of(best.rows().begin(), best.rows().end(),
                                     [](const BestRow& row) { return row.best.has_value(); });
  return all_valid ? kDone : kNoValidCandidate;
}

namespace {

std::string json_of(const std::map<Status, int64_t>& failed) {
  JsonWriter writer;
  for (const auto& [status, count] : failed) writer.integer(print(status), count);
  return std::move(writer).finish();
}

std::string json_of(const MeasureTimes& times) {
  JsonWriter writer;
  writer.real("build", times.build_seconds);
  writer.real("run", times.run_seconds);
  writer.real("check", times.check_seconds);
  writer.real("search", times.search_seconds);
  writer.real("model", times.model_seconds);
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
  real_or_null(writer, "default_seconds", stats.default_seconds);
  real_or_null(writer, "median_seconds", stats.median_seconds);
  real_or_null(writer, "best_seconds", stats.best_seconds);
  real_or_null(writer, "best_gflops", gflops_of(stats.task, stats.best_seconds));
  if (stats.best_trial > 0) writer.text("record", record_name(log, stats));
  writer.integer("confirmations", stats.confirmations);
  writer.integer("sentinels", stats.sentinels);
  real_or_null(writer, "sentinel_spread", stats.sentinel_spread);
  writer.raw("time", json_of(stats.times));
  writer.real("elapsed_seconds", stats.elapsed_seconds);
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
    for (const TaskStats& stats : log_stats(log.records)) {
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
  writer.raw("campaigns", json_list(campaigns));
  writer.raw("tasks", json_list(tasks));
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
  for (const Log& log : logs) {
    for (const TaskStats& stats : log_stats(log.records)) {
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
  return kDone;
}

namespace {

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
  writer.boolean("torn", check.torn);
  writer.raw("bad_lines", json_list(bad_lines));
  writer.texts("gaps", check.gaps);
  return std::move(writer).finish();
}

std::string text_of(const LogCheck& check) {
  std::string text;
  for (const LogWarning& warning : check.bad_lines) text += print(warning, check.path) + "\n";
  for (const std::string& gap : check.gaps) text += fmt::format("{}: {}\n", check.path, gap);
  if (check.torn) text += fmt::format("{}: unfinished last line; no damage\n", check.path);
  const std::string distilled =
      check.num_distilled > 0 ? fmt::format(" ({} distilled)", check.num_distilled) : "";
  text += fmt::format(
      "{}: {}; {} lines, {} campaigns{}, {} trials, {} other records, {} bad lines\n", check.path,
      check.sound() ? "sound" : "damaged", check.num_lines, check.num_campaigns, distilled,
      check.num_trials, check.num_other_records, check.bad_lines.size());
  return text;
}

}  // namespace

int run_log_verify(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  std::vector<std::string> items;
  bool all_sound = true;
  for (const std::string& path : options.logs) {
    const auto check = check_log(path);
    if (!check) return refuse(check.error(), err);
    all_sound = all_sound && check->sound();
    items.push_back(options.json ? json_of(*check) : text_of(*check));
  }
  if (options.json) {
    JsonWriter writer;
    writer.boolean("sound", all_sound);
    writer.raw("logs", json_list(items));
    out << std::move(writer).finish() << "\n";
  } else {
    out << fmt::format("{}", fmt::join(items, ""));
  }
  return all_sound ? kDone : kBadInput;
}

}  // namespace dovetail
