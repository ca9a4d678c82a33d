// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr Option<PretrainOptions> kPretrainOptions[] = {
    {"SPACE", &PretrainOptions::spaces,
     "space.json.gz of bruteforce, or a folder whose sub-folders have one each"},
    {"-o", &PretrainOptions::output, "FILE for the agent (required)"},
    {"--trials", &PretrainOptions::trials, "drawn of each space"},
    {"--without", &PretrainOptions::without, "OPERATOR to leave out, as its specs begin: c2d"},
    {"--hidden", &PretrainOptions::hidden,
     "width of the networks' layers, as that of ppo:hidden=N"},
    {"--seed", &PretrainOptions::seed, "of everything random"},
};

}  // namespace

Result<Action> parse_pretrain(Arguments arguments) {
  PretrainOptions options;
  VerbParser parser("pretrain",
                    "Trains an agent on measured spaces, for tune --strategy ppo --agent FILE.");
  parser.add<PretrainOptions>(kPretrainOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.spaces.empty())
    return fail("pretrain: no SPACE given; dovetail bruteforce makes them");
  if (options.output.empty()) return fail("pretrain: -o FILE is missing");
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_pretrain(options, json);
  });
}

}  // namespace dovetail
