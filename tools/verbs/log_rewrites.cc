// SPDX-License-Identifier: Apache-2.0
// The verbs `log distill`, `log merge`, `log migrate` and `log export`: logs made of logs.
#include <fmt/format.h>

#include <filesystem>

#include "core/base/files.h"
#include "core/record/export/export.h"
#include "core/record/line/caches.h"
#include "core/record/log/distill.h"
#include "core/record/log/merge.h"
#include "report/tables/log_tables.h"
#include "tools/verbs/log_verbs.h"

namespace dovetail {
namespace {

// Tells what merging had to decide; warnings with a line were said when the log was read.
void warn_of_conflicts(const Log& log, std::ostream& err) {
  for (const LogWarning& warning : log.warnings) {
    if (warning.line == 0) err << "dovetail: warning: " << warning.text << "\n";
  }
}

// A log is never replaced by what was made of it.
Result<void> check_output(const LogVerbOptions& options) {
  for (const std::string& log : options.logs) {
    std::error_code absent;
    if (std::filesystem::equivalent(log, options.output, absent)) {
      return fail(fmt::format("-o {}: that is the log {} itself", options.output, log));
    }
  }
  return {};
}

// To the file, whole or not at all, and then what is in it to `out`; without a file, to `out`.
Result<void> deliver(const std::string& text, const std::vector<Log>& logs,
                     const LogVerbOptions& options, std::ostream& out) {
  if (options.output.empty()) {
    out << text;
    return {};
  }
  TRY(replace_file(options.output, text));
  out << counts_text(logs, options.output, options.json);
  return {};
}

using Change = Result<std::vector<Log>> (*)(std::vector<Log>);
using Print = std::string (*)(const std::vector<Log>&);

Result<void> rewrite(Change change, Print print_logs, const LogVerbOptions& options,
                     std::ostream& out, std::ostream& err) {
  TRY(check_output(options));
  const std::vector<Log> logs = TRY(change(TRY(read_logs(options, err))));
  for (const Log& log : logs) warn_of_conflicts(log, err);
  return deliver(print_logs(logs), logs, options, out);
}

int exit_code(const Result<void>& done, std::ostream& err) {
  return done ? static_cast<int>(ExitCode::done) : refuse(done.error(), err);
}

Result<std::vector<Log>> of_one_kind(std::vector<Log> logs) {
  TRY(caches_of(logs));
  return logs;
}

Result<std::vector<Log>> merged(std::vector<Log> logs) {
  return std::vector<Log>{merge(TRY(of_one_kind(std::move(logs))))};
}

Result<std::vector<Log>> distilled(std::vector<Log> logs) {
  for (Log& log : logs) log = distill(log);
  return logs.size() == 1 ? of_one_kind(std::move(logs)) : merged(std::move(logs));
}

Result<std::vector<Log>> unchanged(std::vector<Log> logs) { return logs; }

std::string print_only(const std::vector<Log>& logs) { return print(logs.front()); }

}  // namespace

int run_log_distill(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  return exit_code(rewrite(distilled, print_only, options, out, err), err);
}

int run_log_merge(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  return exit_code(rewrite(merged, print_only, options, out, err), err);
}

int run_log_migrate(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  if (options.logs.size() != 1) {
    return refuse({fmt::format("log migrate: {} logs given, expected one", options.logs.size())},
                  err);
  }
  // A printed log has this version's schema, whatever was read.
  return exit_code(rewrite(unchanged, print_only, options, out, err), err);
}

int run_log_export(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  // Every row of CSV says whether it is cold; T4 says it once.
  const bool is_csv = options.format == "csv";
  return exit_code(
      rewrite(is_csv ? unchanged : of_one_kind, is_csv ? export_csv : export_t4, options, out, err),
      err);
}

}  // namespace dovetail
