// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

struct BruteforceCommand : BruteforceOptions {
  std::vector<std::string> specs;
};

using Command = BruteforceCommand;
constexpr Option<Command> kBruteforceOptions[] = {
    {"SPEC", &Command::specs, "of one operator"},
    {"--target", &Command::target, kTargetHelp},
    {"--space", &Command::space, "reduced: domains cut down around the default"},
    {"--points", &Command::points, "of the space, at most"},
    {"-o", &Command::folder, "DIR for log.jsonl and space.json.gz (required)"},
};

}  // namespace

Result<Action> parse_bruteforce(Arguments arguments) {
  BruteforceCommand options;
  VerbParser parser("bruteforce", "Measures every point of a reduced space of an operator.");
  parser.add<BruteforceCommand>(kBruteforceOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.specs.size() != 1) {
    return fail(fmt::format("bruteforce: {} specs given, expected one", options.specs.size()));
  }
  if (options.folder.empty()) return fail("bruteforce: -o DIR is missing");
  options.spec = options.specs.front();
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_bruteforce(options, json);
  });
}

}  // namespace dovetail
