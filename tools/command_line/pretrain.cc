// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {

Result<Action> parse_pretrain(Arguments arguments) {
  PretrainOptions options;
  VerbParser parser("pretrain",
                    "Trains an agent on measured spaces, for tune --strategy ppo --agent FILE.");
  parser.positional("SPACE", options.spaces,
                    "space.json.gz of bruteforce, or a folder whose sub-folders have one each");
  parser.text("-o", options.output, "FILE for the agent (required)");
  parser.count("--trials", options.trials, "drawn of each space");
  parser.text("--without", options.without, "OPERATOR to leave out, as its specs begin: c2d");
  parser.count("--hidden", options.hidden,
               "width of the networks' layers, as that of ppo:hidden=N");
  parser.seed("--seed", options.seed, "of everything random");
  parser.json(options.json);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.spaces.empty())
    return fail("pretrain: no SPACE given; dovetail bruteforce makes them");
  if (options.output.empty()) return fail("pretrain: -o FILE is missing");
  return Action([options = std::move(options)] { return run_pretrain(options); });
}

}  // namespace dovetail
