// SPDX-License-Identifier: Apache-2.0
#pragma once

// The experiment file: any of a verb's options, as one JSON object. It is the method section of a
// paper, and goes into the log's header as it is.
//
//   {"workloads": ["@nine.txt"], "target": "cpu", "trials": 300, "no-default": true}
//
// Keys are the options' long names without the dashes (`_` may stand for `-`).

#include <string>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct Experiment {
  std::string json;                    // the file's object on one line
  std::vector<std::string> arguments;  // what to add to the command line
};

// `given`: the command line's own arguments; an option that is among them is left out, and so are
// the workloads if it has any.
Result<Experiment> read_experiment(const std::string& path, const std::vector<std::string>& given,
                                   bool has_workloads);

}  // namespace dovetail
