// SPDX-License-Identifier: Apache-2.0
#pragma once

// The verbs: each takes its options, writes its results to stdout, as a table or as one JSON
// object, and its messages to stderr, and gives the exit code. An error is bad input: one line,
// exit code 1, and nothing was written. (`log` is in tools/verbs/log_verbs.h.)

#include <optional>
#include <string>
#include <vector>

#include "campaign/bench/bench.h"
#include "campaign/bruteforce.h"
#include "campaign/compare/compare_options.h"
#include "campaign/inspect.h"
#include "campaign/pretrain.h"
#include "campaign/replay.h"
#include "campaign/run/run.h"
#include "campaign/tune_options.h"
#include "core/base/result.h"
#include "report/pages/write_report.h"
#include "tools/command_line/verb.h"
#include "tools/exit_code.h"

namespace dovetail {

struct DoctorOptions {
  std::string profile;                // write the device's limits to this file
  std::optional<std::string> target;  // whose limits
};

// `arguments` as given, for the command that resumes.
Result<ExitCode> run_tune(const TuneOptions& options, const Arguments& arguments, bool json);
Result<ExitCode> run_replay(const ReplayOptions& options, bool json);
Result<ExitCode> run_run(const RunSpecOptions& options, bool json);
Result<ExitCode> run_bench(const BenchOptions& options, bool json);
Result<ExitCode> run_show(const InspectOptions& options, bool json);
Result<ExitCode> run_doctor(const DoctorOptions& options, bool json);
Result<ExitCode> run_report(const ReportOptions& options, bool json);
Result<ExitCode> run_bruteforce(const BruteforceOptions& options, bool json);
Result<ExitCode> run_pretrain(const PretrainOptions& options, bool json);
Result<ExitCode> run_compare(const CompareOptions& options, bool json);

// All of the program: arguments without the program's name; gives the exit code.
int run_dovetail(const std::vector<std::string>& arguments);

}  // namespace dovetail
