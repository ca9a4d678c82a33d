// SPDX-License-Identifier: Apache-2.0
// The verb `report`: a page of a campaign or a comparison, once or while the campaign runs.
#include <fmt/format.h>

#include <cstdio>
#include <tuple>

#include "core/record/line/fields.h"
#include "report/pages/write_report.h"
#include "tools/command_line/result_json.h"
#include "tools/command_line/verb_parser.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/progress_bar.h"

namespace dovetail {
namespace {

constexpr Option<ReportOptions> kReportOptions[] = {
    {"LOG", &ReportOptions::inputs, "one or more, or the DIR of a comparison"},
    {"-o", &ReportOptions::output, "FILE.html (required)"},
    {"--follow", &ReportOptions::follow, "write it again while the campaign runs; Ctrl-C ends"},
    {"--every", &ReportOptions::every_seconds, "seconds between two pages of --follow"},
    {"--results", &ReportOptions::results,
     "FILE that run --peer ENGINES --json printed: other engines' times; or tune --json, bench "
     "--json: what logs of older versions lack"},
    {"--figures", &ReportOptions::figures, "DIR for SVG, PDF, CSV and LaTeX"},
    {"--figure-width", &ReportOptions::figure_width_inches,
     "inches of the SVG and PDF files, as a paper's column has them; text keeps its size"},
};

std::string text_of(const ReportOptions& options, size_t num_files, bool json) {
  const Presence if_figures = options.figures.empty() ? Presence::not_written : Presence::required;
  if (json)
    return result_json("dovetail-report-1",
                       json_of(std::tuple(
                           Field{"file", options.output}, unless_empty("figures", options.figures),
                           Field{"figure_files", num_files, AnyValue{}, if_figures}))) +
           "\n";
  if (options.figures.empty()) return options.output + "\n";
  return fmt::format("{}\n{}: {} files\n", options.output, options.figures, num_files);
}

Result<ExitCode> run_report(const ReportOptions& options, bool json) {
  if (options.inputs.empty()) return fail("report: no LOG or DIR given");
  if (options.output.empty()) return fail("report: -o FILE.html is missing");
  if (options.follow) catch_interrupts();
  const Result<std::vector<std::string>> written =
      write_report(options, {.note = listener_on_stderr().note, .interrupted = interrupted});
  if (!written && options.follow && interrupted()) return ExitCode::interrupted;
  const std::vector<std::string> files = TRY(written);
  put(text_of(options, files.size(), json));
  return options.follow && interrupted() ? ExitCode::interrupted : ExitCode::done;
}

}  // namespace

Result<ExitCode> report_verb(Arguments arguments) {
  return parse_and_run<ReportOptions>("report",
                                      "Draws a campaign or a comparison as one page of HTML.\n\n"
                                      "  dovetail report gmm.jsonl -o gmm.html\n",
                                      kReportOptions, run_report, std::move(arguments));
}

}  // namespace dovetail
