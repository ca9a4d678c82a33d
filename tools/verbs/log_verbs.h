// SPDX-License-Identifier: Apache-2.0
#pragma once

// The verbs `log ACTION`: what logs say, as tables or as one JSON object, and logs made of logs.
//
//   dovetail log best tune.jsonl        per task, target and device: the fastest valid record
//   dovetail log stats tune.jsonl       per campaign and task: counts, failures, default, best
//   dovetail log verify tune.jsonl      every damaged line, by its number
//   dovetail log distill tune.jsonl -o best.jsonl        what decides which record is best
//   dovetail log merge a.jsonl b.jsonl -o both.jsonl     each campaign once
//   dovetail log migrate old.jsonl -o new.jsonl          its lines in this version's schema
//   dovetail log export tune.jsonl --format csv -o tune.csv
//
// Results go to `out`, messages to `err`; the return value is the program's exit code: 1 when a
// file is no log (`verify`: or is damaged), 2 when `best` finds a task without a valid record.

#include <ostream>
#include <string>
#include <vector>

#include "core/record/log/log.h"
#include "tools/exit_code.h"

namespace dovetail {

struct LogVerbOptions {
  std::vector<std::string> logs;  // paths; at least one
  bool json = false;
  std::string output = {};  // -o: of those that make logs; empty: `out`
  std::string format = {};  // of export: t4 or csv; empty: t4
};

int run_log_best(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
int run_log_stats(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
int run_log_verify(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
// tools/verbs/log_rewrites.cc
int run_log_distill(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
int run_log_merge(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
int run_log_migrate(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
int run_log_export(const LogVerbOptions& options, std::ostream& out, std::ostream& err);

// The verbs share reading the logs, with what was skipped said on `err`.
Result<std::vector<Log>> read_logs(const LogVerbOptions& options, std::ostream& err);
// Prints why and gives the exit code.
int refuse(const Error& error, std::ostream& err);

}  // namespace dovetail
