// SPDX-License-Identifier: Apache-2.0
// The verb `report`: a page of a campaign or a comparison, once or while the campaign runs.
#include <fmt/format.h>

#include <cstdio>

#include "core/record/line/json_fields.h"
#include "report/pages/write_report.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

std::string text_of(const ReportOptions& options, size_t num_files, bool json) {
  if (json) {
    JsonWriter writer;
    writer.text("file", options.output);
    if (!options.figures.empty()) {
      writer.text("figures", options.figures);
      writer.integer("figure_files", int64_t(num_files));
    }
    return std::move(writer).finish() + "\n";
  }
  if (options.figures.empty()) return options.output + "\n";
  return fmt::format("{}\n{}: {} files\n", options.output, options.figures, num_files);
}

}  // namespace

Result<ExitCode> run_report(const ReportOptions& options, bool json) {
  if (options.follow) catch_interrupts();
  ProgressBar bar(stderr);
  const std::vector<std::string> files =
      TRY(write_report(options, {.note = listener_of(bar).note, .interrupted = interrupted}));
  std::fputs(text_of(options, files.size(), json).c_str(), stdout);
  return options.follow && interrupted() ? ExitCode::interrupted : ExitCode::done;
}

}  // namespace dovetail
