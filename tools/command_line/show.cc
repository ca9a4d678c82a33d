// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

struct ShowCommand : InspectOptions {
  std::vector<std::string> subjects;
};

constexpr Option<ShowCommand> kShowOptions[] = {
    {"SUBJECT", &ShowCommand::subjects,
     "spec, region, LOG#CAMPAIGN.TRIAL, MODEL.onnx or MODEL.graph"},
    {"--what", &ShowCommand::what, "space, trace, nest, source, ir, asm, features or layout"},
    {"--target", &ShowCommand::target, kTargetHelp},
    {"--trace", &ShowCommand::trace_file, "file with a trace instead of the default; -: stdin"},
    {"--shape", &ShowCommand::shapes, kShapeHelp},
};

}  // namespace

Result<Action> parse_show(Arguments arguments) {
  ShowCommand options;
  VerbParser parser("show", "Looks inside an operator, a record of a log or a model.");
  parser.add<ShowCommand>(kShowOptions, options);
  parser.add_json("the text");
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.subjects.size() != 1) {
    return fail(fmt::format("show: {} subjects given, expected one spec, record or model",
                            options.subjects.size()));
  }
  options.what_of = options.subjects.front();
  if (std::ranges::find(inspected_texts(), options.what) == inspected_texts().end()) {
    return fail(fmt::format("show: unknown --what '{}'; expected one of: {}", options.what,
                            fmt::join(inspected_texts(), ", ")));
  }
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_show(options, json);
  });
}

}  // namespace dovetail
