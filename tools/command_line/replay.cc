// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr Option<ReplayOptions> kReplayOptions[] = {
    {"WORKLOAD", &ReplayOptions::workloads, kWorkloadHelp},
    {"--target", &ReplayOptions::target, kTargetHelp},
    {"--log", &ReplayOptions::log, "file of records (required)"},
    {"--shape", &ReplayOptions::shapes, kShapeHelp},
    {"--border", &ReplayOptions::border, kBorderHelp},
    {"--strict", &ReplayOptions::strict, "exact matches only; a miss is exit code 3"},
    {"--check", &ReplayOptions::check, "check on other numbers than the campaign did"},
};

}  // namespace

Result<Action> parse_replay(Arguments arguments) {
  ReplayOptions options;
  VerbParser parser("replay",
                    "Runs the best trace of a log again, for every task of the workloads.");
  parser.add<ReplayOptions>(kReplayOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.workloads.empty()) {
    return fail("replay: no WORKLOAD given; see dovetail replay --help");
  }
  if (options.log.empty()) return fail("replay: --log FILE is missing");
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_replay(options, json);
  });
}

}  // namespace dovetail
