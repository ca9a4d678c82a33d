// SPDX-License-Identifier: Apache-2.0
// The verb `compare`: strategies side by side, on measured spaces or on a device.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "campaign/compare/compare_options.h"
#include "core/base/files.h"
#include "report/tables/compare_tables.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

Result<void> write_results(const CompareOptions& options, const Comparison& comparison) {
  namespace fs = std::filesystem;
  const fs::path folder(options.folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(fmt::format("cannot make {}: {}", options.folder, error.message()));
  for (const NamedText& file : comparison_files(comparison))
    TRY(replace_file((folder / file.name).string(), file.text));
  return replace_file((folder / "comparison.json").string(), print_json(comparison));
}

}  // namespace

Result<ExitCode> run_compare(const CompareOptions& options, bool json) {
  catch_interrupts();
  ProgressBar bar(stderr);
  const Listener listener = listener_of(bar);
  const CompareOutcome outcome = TRY(compare(options, listener));
  if (outcome.ending == Ending::device_lost) return ExitCode::device_failure;
  if (outcome.ending == Ending::interrupted) {
    listener.note(options.simulate.empty()
                      ? "interrupted; everything measured is saved; the same command goes on"
                      : "interrupted; nothing was written");
    return ExitCode::interrupted;
  }
  const Comparison& comparison = outcome.comparison;
  TRY(write_results(options, comparison));
  const std::string text = json ? print_json(comparison) : comparison_table(comparison);
  std::fputs(text.c_str(), stdout);
  return ExitCode::done;
}

}  // namespace dovetail
