// SPDX-License-Identifier: Apache-2.0
#pragma once

// ExitCode: the meanings of the program's exit codes; scripts rely on them.

namespace dovetail {

enum class ExitCode : int {
  done = 0,
  bad_input = 1,       // wrong usage or input; one clear line on stderr
  no_candidate = 2,    // some tasks have no valid candidate
  replay_miss = 3,     // --strict, and the log lacks a task
  device_failure = 4,  // nothing can be measured any more
  interrupted = 130,   // everything is saved; the resume command was printed
};

}  // namespace dovetail
