// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr Option<ReportOptions> kReportOptions[] = {
    {"LOG", &ReportOptions::inputs, "one or more, or the DIR of a comparison"},
    {"-o", &ReportOptions::output, "FILE.html (required)"},
    {"--follow", &ReportOptions::follow, "write it again while the campaign runs; Ctrl-C ends"},
    {"--every", &ReportOptions::every_seconds, "seconds between two pages of --follow"},
    {"--results", &ReportOptions::results,
     "FILE that tune --json or bench --json printed: names, percent of peak and of roof"},
    {"--figures", &ReportOptions::figures, "DIR for SVG, PDF, CSV, LaTeX and redraw.py"},
};

}  // namespace

Result<Action> parse_report(Arguments arguments) {
  ReportOptions options;
  VerbParser parser("report", "Draws a campaign or a comparison as one page of HTML.");
  parser.add<ReportOptions>(kReportOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.inputs.empty()) return fail("report: no LOG or DIR given");
  if (options.output.empty()) return fail("report: -o FILE.html is missing");
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_report(options, json);
  });
}

}  // namespace dovetail
