// SPDX-License-Identifier: Apache-2.0
#pragma once

// The verbs `log best`, `log stats` and `log verify`: what logs say, as tables or as one JSON
// object.
//
//   dovetail log best tune.jsonl        per task, target and device: the fastest valid record
//   dovetail log stats tune.jsonl       per campaign and task: counts, failures, default, best
//   dovetail log verify tune.jsonl      every damaged line, by its number
//
// Results go to `out`, messages to `err`; the return value is the program's exit code: 1 when a
// file is no log (`verify`: or is damaged), 2 when `best` finds a task without a valid record.

#include <ostream>
#include <string>
#include <vector>

namespace dovetail {

struct LogVerbOptions {
  std::vector<std::string> logs;  // paths; at least one
  bool json = false;
};

int run_log_best(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
int run_log_stats(const LogVerbOptions& options, std::ostream& out, std::ostream& err);
int run_log_verify(const LogVerbOptions& options, std::ostream& out, std::ostream& err);

}  // namespace dovetail
