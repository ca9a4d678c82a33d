// SPDX-License-Identifier: Apache-2.0
#include "tests/support/shell.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "core/base/check.h"

namespace dovetail::testing {

ShellRun run_shell(const TemporaryFolder& folder, const std::string& command) {
  ShellRun run;
  const std::string line = "cd '" + folder.folder().string() + "' && { " + command + " ; } 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  CHECK(pipe != nullptr, "no shell");
  std::array<char, 4096> part{};
  while (const size_t count = fread(part.data(), 1, part.size(), pipe))
    run.output.append(part.data(), count);
  const int status = pclose(pipe);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

void expect_success(const TemporaryFolder& folder, const std::string& command) {
  const ShellRun run = run_shell(folder, command);
  EXPECT_EQ(run.exit_code, 0) << command << "\n" << run.output;
}

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace dovetail::testing
