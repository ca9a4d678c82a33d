// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program itself, run as a user runs it, in a folder of its own.

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace dovetail::testing {

struct ProgramRun {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// `dovetail ARGUMENTS` with `folder` as working folder.
ProgramRun run_dovetail(const std::vector<std::string>& arguments, const TemporaryFolder& folder);

// The same of a program and a worker that were copied into `folder`: nothing else lies beside them.
ProgramRun run_copied_dovetail(const std::vector<std::string>& arguments,
                               const TemporaryFolder& folder);

// The same, on its way: to be sent a signal.
class StartedProgram {
 public:
  StartedProgram(const std::vector<std::string>& arguments, const TemporaryFolder& folder);
  StartedProgram(std::string program, const std::vector<std::string>& arguments,
                 const TemporaryFolder& folder);
  void send(int signal) const;
  bool is_running();
  ProgramRun wait();

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
  std::string out_path_, err_path_;
};

size_t count_lines(const std::string& text);

}  // namespace dovetail::testing
