// SPDX-License-Identifier: Apache-2.0
#pragma once

// parse_command_line: arguments -> the options of a verb, or one line that says what is wrong.
//
//   {"tune", "gmm:m=8,n=8,k=8", "--log", "a.jsonl"}   TuneOptions{...}
//   {"tune", "--trails", "8"}                         error: tune: unknown option --trails; ...
//
// `--experiment FILE.json` holds any of the verb's options, by name; those on the command line win.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "tools/options.h"

namespace dovetail {

Result<Command> parse_command_line(const std::vector<std::string>& arguments);

}  // namespace dovetail
