// SPDX-License-Identifier: Apache-2.0
#pragma once

// Deadline: the time limit of an operation that may take several waits.
//
//   const Deadline deadline = deadline_after(2.0);
//   while (more to read) {
//     if (await_ready(pipe, POLLIN, deadline) != Readiness::ready) return fail("...");
//     ...
//   }

#include <chrono>

namespace dovetail {

using Deadline = std::chrono::steady_clock::time_point;
Deadline deadline_after(double seconds);  // from now; infinity is allowed

enum class Readiness {
  ready,      // for reading or writing; or the peer is gone, which the next read reports
  timed_out,  // the deadline passed first
  failed,     // poll failed; errno tells why
};

// `events`: those of poll(2). Signals do not end the wait.
Readiness await_ready(int descriptor, short events, Deadline deadline);

}  // namespace dovetail
