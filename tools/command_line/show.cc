// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr std::string_view kShown[] = {"space", "trace", "nest",     "source",
                                       "ir",    "asm",   "features", "layout"};

}  // namespace

Result<Action> parse_show(Arguments arguments) {
  ShowOptions options;
  VerbParser parser("show", "Looks inside an operator, a record of a log or a model.");
  std::vector<std::string> subjects;
  parser.positional("SUBJECT", subjects, "spec, LOG#CAMPAIGN.TRIAL, MODEL.onnx or MODEL.graph");
  parser.text("--what", options.what, "space, trace, nest, source, ir, asm, features or layout");
  parser.target(options.target);
  parser.text("--trace", options.trace_file, "FILE with a trace instead of the default");
  parser.shapes(options.shapes);
  parser.flag("--json", options.json, "one JSON object on stdout instead of the text");
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (subjects.size() != 1) {
    return fail(fmt::format("show: {} subjects given, expected one spec, record or model",
                            subjects.size()));
  }
  options.what_of = subjects.front();
  if (std::ranges::find(kShown, options.what) == std::end(kShown)) {
    return fail(fmt::format("show: unknown --what '{}'; expected one of: {}", options.what,
                            fmt::join(kShown, ", ")));
  }
  return Action([options = std::move(options)] { return run_show(options); });
}

}  // namespace dovetail
