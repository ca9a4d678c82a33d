// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {

Result<Action> parse_report(Arguments arguments) {
  ReportOptions options;
  VerbParser parser("report", "Draws a campaign or a comparison as one page of HTML.");
  parser.positional("LOG", options.inputs, "one or more, or the DIR of a comparison");
  parser.text("-o", options.output, "FILE.html (required)");
  parser.flag("--follow", options.follow, "write it again while the campaign runs; Ctrl-C ends");
  parser.count("--every", options.every_seconds, "seconds between two pages of --follow");
  parser.text("--results", options.results,
              "FILE that tune --json or bench --json printed: names, percent of peak and of roof");
  parser.text("--figures", options.figures, "DIR for SVG, PDF, CSV, LaTeX and redraw.py");
  parser.json(options.json);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.inputs.empty()) return fail("report: no LOG or DIR given");
  if (options.output.empty()) return fail("report: -o FILE.html is missing");
  return Action([options = std::move(options)] { return run_report(options); });
}

}  // namespace dovetail
