// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/compare_options.h"
#include "tools/command_line/verb_parser.h"

namespace dovetail {

Result<Action> parse_compare(Arguments arguments) {
  CompareOptions options;
  VerbParser parser("compare", "Strategies side by side: on measured spaces, or on a device.");
  parser.workloads(options.workloads);
  parser.shapes(options.shapes);
  parser.target(options.target);
  parser.text("--strategies", options.strategies,
              "NAME or NAME:OPTION=VALUE,... by commas; behind each may stand @COST_MODEL, "
              "@loop_only=LAYOUT, @warm (required)");
  parser.text("--cost-model", options.cost_model, "of strategies that name none");
  std::optional<int64_t> seeds, trials;
  parser.count("--seeds", seeds, "repeats of each strategy: 20 simulated, 5 live");
  parser.seed("--seed", options.seed, "the first of them");
  parser.count("--trials", trials, "of a run: 1 % of a measured space, 200 live");
  parser.text("--simulate", options.simulate,
              "DIR whose sub-folders have space.json.gz files, to search without the device");
  parser.text("--train-on", options.train_on,
              "DIR of measured spaces: what @warm begins with, other operators only");
  parser.count("--pretrain-trials", options.pretrain_trials,
               "of an agent (ppo@warm) on each of those spaces");
  parser.count("--points", options.points, "of measured spaces whose files do not say, at most");
  parser.count("--resamples", options.resamples, "of the bootstrap intervals");
  parser.count("--again", options.again,
               "live: times that the best of all runs are measured again, in turn, at the end");
  parser.flag("--no-default", options.no_default, "runs do not begin with the default trace");
  parser.text("-o", options.folder, "DIR for comparison.json, tables and logs (required)");
  parser.json(options.json);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  options.seeds = seeds;
  options.trials = trials;
  if (options.strategies.empty()) return fail("compare: --strategies is missing");
  if (options.folder.empty()) return fail("compare: -o DIR is missing");
  return Action([options = std::move(options)] { return run_compare(options); });
}

}  // namespace dovetail
