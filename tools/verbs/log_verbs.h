// SPDX-License-Identifier: Apache-2.0
#pragma once

// The verbs `log ACTION`: the contents of logs as tables or one JSON object, and logs made of logs.
//
//   dovetail log best tune.jsonl        per task, target and device: the fastest valid record
//   dovetail log stats tune.jsonl       per campaign and task: counts, failures, default, best
//   dovetail log verify tune.jsonl      every damaged line, by its number
//   dovetail log distill tune.jsonl -o best.jsonl        what decides which record is best
//   dovetail log merge a.jsonl b.jsonl -o both.jsonl     each campaign once
//   dovetail log migrate old.jsonl -o new.jsonl          its lines in this version's schema
//   dovetail log export tune.jsonl --format csv -o tune.csv
//
// Results go to `out`, messages to `err`; fails if a file is no log. The exit code is 1 when
// `verify` finds one damaged, 2 when `best` finds a task without a valid record.

#include <ostream>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "tools/command_line/verb.h"

namespace dovetail {

struct LogVerbOptions {
  std::vector<std::string> logs;  // paths; at least one
  bool json = false;
  std::string output = {};  // -o, for actions that make logs; empty: `out`
  std::string format = {};  // export: t4 or csv; empty: t4
  std::string task = {};    // export: a spec or a layer's name; empty: all
  std::string cache = {};   // export: a state of the caches; empty: all
};

using RunLog = Result<ExitCode>(const LogVerbOptions&, std::ostream& out, std::ostream& err);
RunLog run_log_best, run_log_stats, run_log_verify;

}  // namespace dovetail
