// SPDX-License-Identifier: Apache-2.0
#pragma once

// LineProgram: a user's program, driven by lines over its stdin and stdout.
//
//   const auto program = TRY(LineProgram::start("python3 my_strategy.py"));
//   TRY(program->send(R"({"type":"ask","count":16})", /*timeout_seconds=*/60));
//   const std::string answer = TRY(program->receive(60));
//
// It runs in a shell, in a process group of its own, which ends with this object and with this
// process, even if that is killed: a second shell, the guard, waits for the end of a pipe that only
// this process holds open, and then kills the group. The program inherits stderr, so that its
// messages are seen. Errors tell in one line how it ended, or that it did not answer in time.

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/result.h"

namespace dovetail {

class LineProgram {
 public:
  static Result<std::unique_ptr<LineProgram>> start(const std::string& command);
  ~LineProgram();
  LineProgram(const LineProgram&) = delete;
  LineProgram& operator=(const LineProgram&) = delete;

  Result<void> send(std::string_view line, double timeout_seconds);
  Result<std::string> receive(double timeout_seconds);  // without the line feed

  pid_t pid() const { return pid_; }

 private:
  LineProgram() = default;
  Result<void> start_program(const std::string& command);
  Result<void> start_guard();
  std::string how_it_ended();

  pid_t pid_ = -1;    // shell and its process group
  pid_t guard_ = -1;  // kills the group when this process is gone
  Descriptor input_;  // a socket: writing to a program that ended is an error, not a signal
  Descriptor output_;
  Descriptor alive_;  // write end of the guard's pipe
  std::string received_;
};

}  // namespace dovetail
