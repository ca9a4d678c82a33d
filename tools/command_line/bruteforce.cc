// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {

Result<Action> parse_bruteforce(Arguments arguments) {
  BruteforceOptions options;
  VerbParser parser("bruteforce", "Measures every point of a reduced space of an operator.");
  std::vector<std::string> specs;
  parser.positional("SPEC", specs, "of one operator");
  parser.target(options.target);
  parser.text("--space", options.space, "reduced: domains cut down around the default");
  parser.count("--points", options.points, "of the space, at most");
  parser.text("-o", options.folder, "DIR for log.jsonl and space.json.gz (required)");
  parser.json(options.json);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (specs.size() != 1) {
    return fail(fmt::format("bruteforce: {} specs given, expected one", specs.size()));
  }
  if (options.folder.empty()) return fail("bruteforce: -o DIR is missing");
  if (options.space != "reduced") {
    return fail(fmt::format("bruteforce: unknown --space '{}'; expected reduced", options.space));
  }
  options.spec = specs.front();
  return Action([options = std::move(options)] { return run_bruteforce(options); });
}

}  // namespace dovetail
