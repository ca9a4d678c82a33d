// SPDX-License-Identifier: Apache-2.0
// The verb `bench`: the best of a log beside other libraries, and beside the best of other logs.
#include "campaign/bench/bench.h"

#include <fmt/format.h>

#include <cstdio>

#include "tools/interrupt.h"
#include "tools/progress_bar.h"
#include "tools/verbs.h"
#include "tools/verbs/bench_table.h"

namespace dovetail {
namespace {

ExitCode exit_code(const std::vector<BenchRow>& rows) {
  ExitCode code = ExitCode::done;
  for (const BenchRow& row : rows) {
    if (row.times.ours.status == Status::worker_lost) return ExitCode::device_failure;
    if (row.times.ours.status != Status::ok) code = ExitCode::no_candidate;
  }
  return code;
}

}  // namespace

Result<ExitCode> run_bench(const BenchOptions& options, bool json) {
  catch_interrupts();
  ProgressBar bar(stderr);
  const Listener listener = listener_of(bar);
  const Bench done =
      TRY(bench(options, listener, [&](const BenchRow& row, size_t number, size_t count) {
        listener.note(fmt::format("{} of {}: {}: {}", number, count, row.task->space->task.name,
                                  short_text(row)));
        for (const std::string& problem : problems_of(row)) listener.note(problem);
      }));
  if (done.interrupted) {
    if (!options.save.empty()) {
      listener.note(fmt::format("rows are saved in {}; the same command goes on", options.save));
    }
    return ExitCode::interrupted;
  }
  const std::string text = json ? json_text(done.report) : table_text(done.report);
  std::fputs(text.c_str(), stdout);
  return exit_code(done.report.rows);
}

}  // namespace dovetail
