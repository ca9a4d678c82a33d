// SPDX-License-Identifier: Apache-2.0
#pragma once

// Commands of a shell in a temporary folder: compilers, linkers, and what they made.

#include <string>

#include "tests/support/temporary_folder.h"

namespace dovetail::testing {

struct ShellRun {
  int exit_code = -1;
  std::string output;  // standard output and error
};
ShellRun run_shell(const TemporaryFolder& folder, const std::string& command);
// A failure, with what the command said, where it does not end with 0.
void expect_success(const TemporaryFolder& folder, const std::string& command);
bool has_program(const std::string& name);

inline constexpr const char* kWarnings = "-Wall -Wextra -pedantic -Werror";

}  // namespace dovetail::testing
