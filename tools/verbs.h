// SPDX-License-Identifier: Apache-2.0
#pragma once

// The verbs: each takes its options, writes its results to stdout and its messages to stderr, and
// gives the exit code. An error is bad input: one line, exit code 1, and nothing was written.
// (`log` is in tools/verbs/log_verbs.h.)

#include "campaign/exit_code.h"
#include "campaign/options.h"
#include "core/base/result.h"

namespace dovetail {

Result<ExitCode> run_tune(const TuneOptions& options);
Result<ExitCode> run_replay(const ReplayOptions& options);
Result<ExitCode> run_bench(const BenchOptions& options);
Result<ExitCode> run_show(const ShowOptions& options);
Result<ExitCode> run_doctor(const DoctorOptions& options);
Result<ExitCode> run_report(const ReportOptions& options);
Result<ExitCode> run_bruteforce(const BruteforceOptions& options);
Result<ExitCode> run_pretrain(const PretrainOptions& options);

// All of the program: arguments without the program's name; gives the exit code.
int run_dovetail(const std::vector<std::string>& arguments);

}  // namespace dovetail
