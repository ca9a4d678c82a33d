// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/compare_options.h"
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr Option<CompareOptions> kCompareOptions[] = {
    {"WORKLOAD", &CompareOptions::workloads, kWorkloadHelp},
    {"--shape", &CompareOptions::shapes, kShapeHelp},
    {"--target", &CompareOptions::target, kTargetHelp},
    {"--strategies", &CompareOptions::strategies,
     "NAME or NAME:OPTION=VALUE,... by commas; behind each may stand @COST_MODEL, "
     "@loop_only=LAYOUT, @warm (required)"},
    {"--cost-model", &CompareOptions::cost_model, "of strategies that name none"},
    {"--seeds", &CompareOptions::seeds, "repeats of each strategy: 20 simulated, 5 live"},
    {"--seed", &CompareOptions::seed, "the first of them"},
    {"--trials", &CompareOptions::trials, "of a run: 1 % of a measured space, 200 live"},
    {"--simulate", &CompareOptions::simulate,
     "DIR whose sub-folders have space.json.gz files, to search without the device"},
    {"--train-on", &CompareOptions::train_on,
     "DIR of measured spaces: what @warm begins with, other operators only"},
    {"--pretrain-trials", &CompareOptions::pretrain_trials,
     "of an agent (ppo@warm) on each of those spaces"},
    {"--points", &CompareOptions::points, "of measured spaces whose files do not say, at most"},
    {"--resamples", &CompareOptions::resamples, "of the bootstrap intervals"},
    {"--again", &CompareOptions::again,
     "live: times that the best of all runs are measured again, in turn, at the end"},
    {"--no-default", &CompareOptions::no_default, "runs do not begin with the default trace"},
    {"-o", &CompareOptions::folder, "DIR for comparison.json, tables and logs (required)"},
};

}  // namespace

Result<Action> parse_compare(Arguments arguments) {
  CompareOptions options;
  VerbParser parser("compare", "Strategies side by side: on measured spaces, or on a device.");
  parser.add<CompareOptions>(kCompareOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.strategies.empty()) return fail("compare: --strategies is missing");
  if (options.folder.empty()) return fail("compare: -o DIR is missing");
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_compare(options, json);
  });
}

}  // namespace dovetail
