// SPDX-License-Identifier: Apache-2.0
#pragma once

// The experiment file: any of a verb's options, as one JSON object. It is the method section of a
// paper, and `tune` puts it into the log's header as it is.
//
//   {"workloads": ["@nine.txt"], "target": "cpu", "trials": 300, "no-default": true}
//
// Keys are the options' long names without the dashes (`_` may stand for `-`); a list is an option
// given several times. What the command line gives takes precedence.
//
//   const std::string json =
//       TRY(expand_experiment<TuneOptions>("tune", add_options, arguments));  // then parse them

#include <optional>
#include <string>

#include "campaign/option_table.h"
#include "core/base/result.h"
#include "tools/command_line/verb_parser.h"

namespace dovetail {

// For --help only: the option is taken out of the arguments before those are parsed.
struct ExperimentFile {
  std::string path;
};
inline constexpr Option<ExperimentFile> kExperimentOptions[] = {
    {"--experiment", &ExperimentFile::path, "FILE.json with any of these options"}};

// Takes `--experiment FILE` out of the arguments; gives the file, or none.
Result<std::optional<std::string>> take_experiment(const std::string& verb, Arguments& arguments);

// Adds the file's options, but those that `arguments` has; its workloads, unless `has_workloads`.
// Gives the file's object on one line.
Result<std::string> add_experiment(const std::string& path, bool has_workloads,
                                   Arguments& arguments);

// Puts the options of the file that --experiment names into the arguments. Gives its object on one
// line, empty where there is none, or where help is asked for. `Values` has `workloads`.
template <typename Values, typename AddOptions>
Result<std::string> expand_experiment(const std::string& verb, AddOptions add_options,
                                      Arguments& arguments) {
  const std::optional<std::string> path = TRY(take_experiment(verb, arguments));
  if (!path) return std::string();
  Values probe;
  VerbParser parser(verb, "");
  add_options(parser, probe);
  if (TRY(parser.parse(arguments))) return std::string();
  return add_experiment(*path, !probe.workloads.empty(), arguments);
}

}  // namespace dovetail
