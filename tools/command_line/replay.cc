// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr Option<ReplayOptions> kReplayOptions[] = {
    {"WORKLOAD", &ReplayOptions::workloads, kWorkloadHelp},
    {"--target", &ReplayOptions::target, kTargetHelp},
    {"--log", &ReplayOptions::log, "file of records (required, or --trace)"},
    {"--trace", &ReplayOptions::trace_file,
     "file with a trace of yours, as show prints it; -: stdin"},
    {"--shape", &ReplayOptions::shapes, kShapeHelp},
    {"--border", &ReplayOptions::border, kBorderHelp},
    {"--strict", &ReplayOptions::strict, "exact matches only; a miss is exit code 3"},
    {"--check", &ReplayOptions::check, "check on other numbers than the campaign did"},
};

}  // namespace

Result<Action> parse_replay(Arguments arguments) {
  ReplayOptions options;
  VerbParser parser("replay",
                    "Runs the best trace of a log, or a trace of yours, for every task of the "
                    "workloads.");
  parser.add<ReplayOptions>(kReplayOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.workloads.empty()) {
    return fail("replay: no WORKLOAD given; see dovetail replay --help");
  }
  if (options.log.empty() == options.trace_file.empty())
    return fail(options.log.empty() ? "replay: --log FILE or --trace FILE is missing"
                                    : "replay: both --log and --trace given, expected one of them");
  if (options.strict && options.log.empty())
    return fail("replay: --strict is about matches of a log; leave it out with --trace");
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_replay(options, json);
  });
}

}  // namespace dovetail
