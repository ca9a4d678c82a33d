// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tools/command_line/experiment.h"
#include "tools/command_line/strategy_help.h"
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

// Its options are in the arguments before those are parsed; this is for --help.
struct ExperimentFile {
  std::string path;
};
constexpr Option<ExperimentFile> kExperimentOptions[] = {
    {"--experiment", &ExperimentFile::path, "FILE.json with any of these options"}};

void add_options(VerbParser& parser, TuneOptions& options) {
  parser.add(tune_option_table(), options);
  parser.add_json();
}

// Takes --experiment out of the arguments and puts the file's options in; gives the file's object.
Result<std::string> expand_experiment(Arguments& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string path;
    size_t taken = 1;
    if (arguments[i].starts_with("--experiment=")) {
      path = arguments[i].substr(std::string("--experiment=").size());
    } else if (arguments[i] == "--experiment") {
      if (i + 1 == arguments.size()) return fail("tune: --experiment needs a FILE.json");
      path = arguments[i + 1];
      taken = 2;
    } else {
      continue;
    }
    arguments.erase(arguments.begin() + static_cast<ptrdiff_t>(i),
                    arguments.begin() + static_cast<ptrdiff_t>(i + taken));
    TuneOptions probe;
    VerbParser parser("tune", "");
    add_options(parser, probe);
    if (TRY(parser.parse(arguments))) return std::string();
    const Experiment experiment = TRY(read_experiment(path, arguments, !probe.workloads.empty()));
    arguments.insert(arguments.end(), experiment.arguments.begin(), experiment.arguments.end());
    return experiment.json;
  }
  return std::string();
}

}  // namespace

Result<Action> parse_tune(Arguments arguments) {
  TuneOptions options;
  const Arguments given = arguments;
  VerbParser parser("tune", "Searches for the fastest candidate of every task of the workloads.");
  add_options(parser, options);
  parser.footer(strategy_help());
  options.experiment = TRY(expand_experiment(arguments));
  ExperimentFile taken_out;
  parser.add<ExperimentFile>(kExperimentOptions, taken_out);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  TRY(check(options));
  return Action([options = std::move(options), given, json = parser.wants_json()] {
    return run_tune(options, given, json);
  });
}

}  // namespace dovetail
