// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "core/base/check.h"
#include "tools/command_line.h"
#include "tools/log_verbs.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

Result<ExitCode> run(const TextAnswer& answer) {
  std::fputs(answer.text.c_str(), stdout);
  return ExitCode::done;
}
Result<ExitCode> run(const TuneOptions& options) { return run_tune(options); }
Result<ExitCode> run(const ReplayOptions& options) { return run_replay(options); }
Result<ExitCode> run(const BenchOptions& options) { return run_bench(options); }
Result<ExitCode> run(const ShowOptions& options) { return run_show(options); }
Result<ExitCode> run(const DoctorOptions& options) { return run_doctor(options); }

struct LogAction {
  std::string_view name;
  int (*run)(const LogVerbOptions&, std::ostream& out, std::ostream& err);
};
constexpr LogAction kLogActions[] = {
    {"best", run_log_best},       {"stats", run_log_stats}, {"verify", run_log_verify},
    {"distill", run_log_distill}, {"merge", run_log_merge}, {"export", run_log_export},
};

Result<ExitCode> run(const BruteforceOptions& options) { return run_bruteforce(options); }
Result<ExitCode> run(const LogOptions& options) {
  const auto action = std::ranges::find(kLogActions, options.action, &LogAction::name);
  CHECK(action != std::end(kLogActions), "the command line lets a log action through");
  const LogVerbOptions verb{.logs = options.logs,
                            .json = options.json,
                            .output = options.output,
                            .format = options.format};
  const int code = action->run(verb, std::cout, std::cerr);
  std::cout.flush();
  return static_cast<ExitCode>(code);
}

Result<ExitCode> run_command(const std::vector<std::string>& arguments) {
  const Command command = TRY(parse_command_line(arguments));
  return std::visit([](const auto& options) { return run(options); }, command);
}

}  // namespace

int run_dovetail(const std::vector<std::string>& arguments) {
  const Result<ExitCode> code = run_command(arguments);
  if (!code) {
    std::fprintf(stderr, "dovetail: %s\n", code.error().message.c_str());
    return static_cast<int>(ExitCode::bad_input);
  }
  if (std::fflush(stdout) != 0) {
    std::fputs("dovetail: cannot write to stdout\n", stderr);
    return static_cast<int>(ExitCode::bad_input);
  }
  return static_cast<int>(*code);
}

}  // namespace dovetail
