// SPDX-License-Identifier: Apache-2.0
#pragma once

// Deadline: until when something is waited for, however many waits that takes.
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
  ready,      // to be read or written; or the other side is gone, as reading will tell
  timed_out,  // the deadline passed first
  failed,     // it cannot be waited for; errno says why
};

// `events` are poll's. Signals do not end the wait.
Readiness await_ready(int descriptor, short events, Deadline deadline);

}  // namespace dovetail
