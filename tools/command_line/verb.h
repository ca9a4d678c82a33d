// SPDX-License-Identifier: Apache-2.0
#pragma once

// A verb of the command line: its line in `dovetail --help`, and the function that runs it.
//
//   {"log", "ACTION LOG...", "what logs hold", log_verb}
//
//   log_verb({"best", "a.jsonl"})    runs `log best`, and gives the exit code
//   log_verb({"bset", "a.jsonl"})    error: log: unknown action 'bset'; expected one of: ...
//   log_verb({"--help"})             prints the help
//
// A verb writes its results to stdout, as a table or as one JSON object, and its messages to
// stderr. An error is bad input: one line, exit code 1, and nothing was written.
//
// To add one: its file in tools/verbs, and its line in tools/dovetail_main.cc.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/text.h"

namespace dovetail {

// Scripts rely on these.
enum class ExitCode : int {
  done = 0,
  bad_input = 1,       // wrong usage or input; one clear line on stderr
  no_candidate = 2,    // some tasks have no valid candidate
  replay_miss = 3,     // --strict, and the log lacks a task
  device_failure = 4,  // nothing can be measured any more
  interrupted = 130,   // what is saved, and how to continue, was said
};

using Arguments = std::vector<std::string>;  // without the program's name and the verb

// The command as a shell reads it: "dovetail tune 'C[m] = A[m]: m=8' --log a.jsonl".
inline std::string command_line(std::string_view verb, const Arguments& arguments) {
  std::string command = "dovetail " + std::string(verb);
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  return command;
}

struct Verb {
  std::string_view name;
  std::string_view usage;
  std::string_view meaning;
  Result<ExitCode> (*run)(Arguments);  // never null
};

}  // namespace dovetail
