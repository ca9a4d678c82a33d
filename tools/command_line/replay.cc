// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {

Result<Action> parse_replay(Arguments arguments) {
  ReplayOptions options;
  VerbParser parser("replay",
                    "Runs the best trace of a log again, for every task of the workloads.");
  parser.workloads(options.workloads);
  parser.target(options.target);
  parser.text("--log", options.log, "file of records (required)");
  parser.shapes(options.shapes);
  parser.flag("--strict", options.strict, "exact matches only; a miss is exit code 3");
  parser.flag("--check", options.check, "check on other numbers than the campaign did");
  parser.json(options.json);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.workloads.empty()) {
    return fail("replay: no WORKLOAD given; see dovetail replay --help");
  }
  if (options.log.empty()) return fail("replay: --log FILE is missing");
  return Action([options = std::move(options)] { return run_replay(options); });
}

}  // namespace dovetail
