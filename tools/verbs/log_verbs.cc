// SPDX-License-Identifier: Apache-2.0
#include "tools/verbs/log_verbs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/record/statistics/log_stats.h"
#include "report/tables/log_tables.h"

namespace dovetail {

Result<std::vector<Log>> read_logs(const LogVerbOptions& options, std::ostream& err) {
  std::vector<Log> logs;
  for (const std::string& path : options.logs) {
    logs.push_back(TRY(read_log(path)));
    err << first_warnings(logs.back());
  }
  return logs;
}

int refuse(const Error& error, std::ostream& err) {
  err << "dovetail: " << error.message << "\n";
  return static_cast<int>(ExitCode::bad_input);
}

int run_log_best(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  const auto logs = read_logs(options, err);
  if (!logs) return refuse(logs.error(), err);
  const auto rows = best_rows(*logs);
  if (!rows) return refuse(rows.error(), err);
  out << (options.json ? best_json(*rows) : best_table(*rows));
  const bool all_valid =
      std::ranges::all_of(*rows, [](const BestRow& row) { return row.best.has_value(); });
  return static_cast<int>(all_valid ? ExitCode::done : ExitCode::no_candidate);
}

int run_log_stats(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  const auto logs = read_logs(options, err);
  if (!logs) return refuse(logs.error(), err);
  out << (options.json ? stats_json(*logs) : stats_table(*logs));
  return static_cast<int>(ExitCode::done);
}

int run_log_verify(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  std::vector<LogCheck> checks;
  for (const std::string& path : options.logs) {
    auto check = check_log(path);
    if (!check) return refuse(check.error(), err);
    checks.push_back(*std::move(check));
  }
  if (options.json) {
    out << check_json(checks);
  } else {
    for (const LogCheck& check : checks) out << check_text(check);
  }
  const bool all_sound = std::ranges::all_of(checks, &LogCheck::sound);
  return static_cast<int>(all_sound ? ExitCode::done : ExitCode::bad_input);
}

}  // namespace dovetail
