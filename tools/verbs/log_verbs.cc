// SPDX-License-Identifier: Apache-2.0
#include "tools/verbs/log_verbs.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "core/base/fail.h"
#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/ir/region/task_spec.h"
#include "core/record/export/export.h"
#include "core/record/gzip.h"
#include "core/record/log/distill.h"
#include "core/record/log/merge.h"
#include "core/record/log/timed_caches.h"
#include "core/record/statistics/log_stats.h"
#include "report/tables/log_head.h"
#include "report/tables/log_tables.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"

namespace dovetail {
namespace {

// Reads the logs, and lists skipped lines on `err`.
Result<std::vector<Log>> read_logs(const LogVerbOptions& options, std::ostream& err) {
  std::vector<Log> logs;
  for (const std::string& path : options.logs) {
    logs.push_back(TRY(read_log(path)));
    err << first_warnings(logs.back());
  }
  return logs;
}

// Reports conflicts that merging resolved; warnings with a line were printed on reading.
void warn_of_conflicts(const Log& log, std::ostream& err) {
  for (const LogWarning& warning : log.warnings)
    if (warning.line == 0) err << "dovetail: warning: " << warning.text << "\n";
}

// Keeps only the records of one task, by its spec or its name in the campaign's workload.
Result<void> keep_task(const std::string& task, std::vector<Log>& logs) {
  const Result<KeyedTask> spec = parse_task_spec(task);
  size_t kept = 0;
  for (Log& log : logs) {
    std::erase_if(log.records, [&](const Record& record) {
      if (spec && record.task == print(*spec)) return false;
      return log.header_of(record.campaign)->name_of(record.task) != task;
    });
    kept += log.records.size();
  }
  if (kept > 0) return {};
  return fail(
      "log export: --task {}: no record of it; expected a spec, or a name, that log best lists",
      task);
}

Result<void> keep_caches(const std::string& text, std::vector<Log>& logs) {
  const Result<Caches> caches = parse_caches(text);
  if (!caches) return fail("log export --cache: " + caches.error().message);
  for (Log& log : logs) log = of_caches(std::move(log), *caches);
  return {};
}

// A log must not be replaced by what is made of it.
Result<void> check_output(const LogVerbOptions& options) {
  for (const std::string& log : options.logs) {
    std::error_code absent;
    if (std::filesystem::equivalent(log, options.output, absent))
      return fail("-o {}: that is the log {} itself", options.output, log);
  }
  return {};
}

// Writes the text to the file, atomically, and compressed if the name says so, and counts of its
// contents to `out`; without a file, writes the text to `out`.
Result<void> deliver(const std::string& text, const std::vector<Log>& logs,
                     const LogVerbOptions& options, std::ostream& out) {
  if (options.output.empty()) {
    out << text;
    return {};
  }
  TRY(replace_text(options.output, text));
  const std::string counts = counts_text(logs, options.output, options.json);
  out << (options.json ? result_json("dovetail-log-file-1", printable_json(counts))
                       : printable_lines(counts));
  return {};
}

using Change = Result<std::vector<Log>> (*)(std::vector<Log>);
using Print = std::string (*)(const std::vector<Log>&);

template <Change Rewritten, Print Printed>
Result<ExitCode> rewrite(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  TRY(check_output(options));
  std::vector<Log> read = TRY(read_logs(options, err));
  if (!options.cache.empty()) TRY(keep_caches(options.cache, read));
  std::vector<Log> logs = TRY(Rewritten(std::move(read)));
  if (!options.task.empty()) TRY(keep_task(options.task, logs));
  for (const Log& log : logs) warn_of_conflicts(log, err);
  TRY(deliver(Printed(logs), logs, options, out));
  return ExitCode::done;
}

Result<std::vector<Log>> of_one_kind(std::vector<Log> logs) {
  TRY(caches_of(logs));
  return logs;
}

Result<std::vector<Log>> merged(std::vector<Log> logs) { return std::vector<Log>{merge(logs)}; }

Result<std::vector<Log>> distilled(std::vector<Log> logs) {
  for (Log& log : logs) log = distill(log);
  return logs.size() == 1 ? std::move(logs) : merged(std::move(logs));
}

Result<std::vector<Log>> unchanged(std::vector<Log> logs) { return logs; }

std::string print_only(const std::vector<Log>& logs) { return print(logs.front()); }

}  // namespace

Result<ExitCode> run_log_best(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  const std::vector<Log> logs = TRY(read_logs(options, err));
  const std::vector<BestRow> rows = best_rows(logs);
  const std::vector<NetworksOfCampaign> networks = networks_of(logs, rows);
  out << (options.json
              ? result_json("dovetail-log-best-1", printable_json(best_json(rows, networks)))
              : best_table(rows, networks));
  const bool all_valid =
      std::ranges::all_of(rows, [](const BestRow& row) { return row.best.has_value(); });
  return all_valid ? ExitCode::done : ExitCode::no_candidate;
}

Result<ExitCode> run_log_stats(const LogVerbOptions& options, std::ostream& out,
                               std::ostream& err) {
  const std::vector<Log> logs = TRY(read_logs(options, err));
  out << (options.json ? result_json("dovetail-log-stats-1", printable_json(stats_json(logs)))
                       : stats_table(logs));
  return ExitCode::done;
}

Result<ExitCode> run_log_verify(const LogVerbOptions& options, std::ostream& out, std::ostream&) {
  std::vector<LogCheck> checks;
  for (const std::string& path : options.logs) checks.push_back(TRY(check_log(path)));
  if (options.json)
    out << result_json("dovetail-log-verify-1", printable_json(check_json(checks)));
  else
    for (const LogCheck& check : checks) out << printable_lines(check_text(check));
  const bool all_sound = std::ranges::all_of(checks, &LogCheck::sound);
  return all_sound ? ExitCode::done : ExitCode::bad_input;
}

namespace {

Result<ExitCode> run_log_export(const LogVerbOptions& options, std::ostream& out,
                                std::ostream& err) {
  // CSV has the cache state in every row; T4 has one per file, so its logs must agree in it.
  return options.format == "csv" ? rewrite<unchanged, export_csv>(options, out, err)
                                 : rewrite<of_one_kind, export_t4>(options, out, err);
}

Result<ExitCode> run_log_head(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  const std::vector<CampaignHead> heads = campaign_heads(TRY(read_logs(options, err)));
  out << (options.json ? result_json("dovetail-log-head-1", printable_json(head_json(heads)))
                       : printable_lines(head_table(heads)));
  return ExitCode::done;
}

struct LogAction {
  std::string_view name;
  std::string_view meaning;
  RunLog* run;
  bool rewrites;  // makes a log, or another form of one
};
constexpr LogAction kActions[] = {
    {"head", "the campaigns: when, on what, with which options, how far", run_log_head, false},
    {"best", "the fastest record of each task, and what a network takes by them", run_log_best,
     false},
    {"stats", "counts, failures and times of each campaign and task", run_log_stats, false},
    {"verify", "damaged lines and gaps, one line each; exit code 1 if there are any",
     run_log_verify, false},
    {"distill", "a small log of what decides which record is best", rewrite<distilled, print_only>,
     true},
    {"merge", "one log of several, each campaign and record once", rewrite<merged, print_only>,
     true},
    // A printed log has this version's schema, whatever was read.
    {"migrate", "a log of an older schema in this version's", rewrite<unchanged, print_only>, true},
    {"export", "the records as T4 or CSV, for other programs", run_log_export, true},
};

std::string action_help() {
  std::string text = "actions:\n";
  for (const LogAction& action : kActions)
    text += fmt::format("  {:8} {}\n", action.name, action.meaning);
  text.pop_back();
  return text;
}

std::string action_names(bool rewriting_only) {
  std::string names;
  for (const LogAction& action : kActions) {
    if (rewriting_only && !action.rewrites) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", action.name);
  }
  return names;
}

Result<LogAction> find_action(const std::string& name) {
  const auto action = std::ranges::find(kActions, name, &LogAction::name);
  if (action != std::end(kActions)) return *action;
  return fail("log: unknown action '{}'; expected one of: {}", name,
              one_of_or_nearest(name, kActions, &LogAction::name));
}

Result<void> check(const LogAction& action, const LogVerbOptions& options) {
  const std::string& format = options.format;
  const std::pair<bool, std::string> mistakes[] = {
      {options.logs.empty(), "no LOG given"},
      {!action.rewrites && !options.output.empty(), "-o is of " + action_names(true)},
      {action.rewrites && options.json && options.output.empty(),
       "--json needs -o FILE: it counts what is written there"},
      {action.name != "export" && !format.empty(), "--format is of export"},
      {action.name != "export" && !options.task.empty(), "--task is of export"},
      {action.name != "export" && !options.cache.empty(), "--cache is of export"},
      {action.name == "migrate" && options.logs.size() != 1,
       fmt::format("{} logs given, expected one", options.logs.size())},
      {!format.empty() && format != "t4" && format != "csv",
       fmt::format("unknown --format '{}'; expected t4 or csv", format)}};
  for (const auto& [is_made, mistake] : mistakes)
    if (is_made) return fail("log {}: {}", action.name, mistake);
  return {};
}

struct LogCommand : LogVerbOptions {
  std::vector<std::string> words;
};

Result<ExitCode> run_log(LogCommand options, bool json) {
  if (options.words.empty())
    return fail("log: no action given; expected one of: {}", action_names(false));
  const LogAction action = TRY(find_action(options.words.front()));
  options.logs.assign(options.words.begin() + 1, options.words.end());
  options.json = json;
  TRY(check(action, options));
  return action.run(options, std::cout, std::cerr);
}

}  // namespace

Result<ExitCode> log_verb(Arguments arguments) {
  const std::string words_help = action_names(false) + ", then LOG...";
  const std::string output_help = "FILE, of " + action_names(true) + "; else stdout";
  const Option<LogCommand> table[] = {
      {"ACTION", &LogCommand::words, words_help},
      {"-o", &LogCommand::output, output_help},
      {.name = "--format",
       .member = &LogCommand::format,
       .help = "format of export",
       .otherwise = "t4",
       .values = [] { return std::vector<std::string>{"t4", "csv"}; }},
      {"--task", &LogCommand::task, "for export: only the records of this spec or task name"},
      {.name = "--cache",
       .member = &LogCommand::cache,
       .help = "for export: only the records timed with operands there",
       .values = recorded_cache_words},
  };
  VerbParser parser("log",
                    "What logs hold, whether all is well, and logs made of logs.\n\n"
                    "  dovetail log export gmm.jsonl --format csv -o gmm.csv\n");
  LogCommand command;
  parser.add<LogCommand>(table, command);
  parser.add_json();
  parser.footer(action_help());
  if (TRY(parser.parse(std::move(arguments)))) return parser.print_help();
  return run_log(std::move(command), parser.wants_json());
}

}  // namespace dovetail
