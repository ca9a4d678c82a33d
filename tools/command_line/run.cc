// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

struct RunCommand : RunSpecOptions {
  std::vector<std::string> specs;
};

constexpr Option<RunCommand> kRunOptions[] = {
    {"SPEC", &RunCommand::specs, "operator, sum or region (docs/workloads.md)"},
    {"--target", &RunCommand::target, kTargetHelp},
    {"--log", &RunCommand::log, "file of records: the best trace; without it the default trace"},
    {"--inputs", &RunCommand::inputs,
     "folder with input_0.npy, input_1.npy, ... in the order of the spec; without it random "
     "numbers"},
    {"--outputs", &RunCommand::outputs, "folder for output_0.npy, ..."},
    {"--seed", &RunCommand::seed, "of random inputs"},
};

}  // namespace

Result<Action> parse_run(Arguments arguments) {
  RunCommand options;
  VerbParser parser("run", "Runs one spec, checks what it computes and gives its outputs.");
  parser.add<RunCommand>(kRunOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.specs.size() != 1)
    return fail(fmt::format("run: {} specs given, expected one", options.specs.size()));
  options.spec = options.specs.front();
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_run(options, json);
  });
}

}  // namespace dovetail
