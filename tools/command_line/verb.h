// SPDX-License-Identifier: Apache-2.0
#pragma once

// A verb of the command line: its line in `dovetail --help`, and what turns its arguments into
// something to do.
//
//   {"log", "ACTION LOG...", "what logs hold", parse_log}
//
//   parse_log({"best", "a.jsonl"})    an action: call it, and `log best` runs
//   parse_log({"bset", "a.jsonl"})    error: log: unknown action 'bset'; expected one of: ...
//   parse_log({"--help"})             an action that prints the help
//
// To add one: its file beside this one, and its line in verb_table.cc.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "tools/exit_code.h"

namespace dovetail {

using Arguments = std::vector<std::string>;  // without the program's name and the verb

// An error of it is bad input: one line, exit code 1.
using Action = std::function<Result<ExitCode>()>;

struct Verb {
  std::string_view name;
  std::string_view usage;
  std::string_view meaning;
  Result<Action> (*parse)(Arguments);  // none: part of the contract, and still to come
};

}  // namespace dovetail
