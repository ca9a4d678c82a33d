// SPDX-License-Identifier: Apache-2.0
#include "core/base/deadline.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdint>

namespace dovetail {
namespace {

constexpr double kForeverSeconds = 1e8;

// Milliseconds until the deadline, rounded up so that poll never returns before it.
int remaining_milliseconds(Deadline deadline) {
  const auto left = deadline - std::chrono::steady_clock::now();
  const auto count = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<int64_t>(count, 0, INT_MAX));
}

}  // namespace

Deadline deadline_after(double seconds) {
  using Clock = std::chrono::steady_clock;
  const double bounded = std::isnan(seconds) ? 0 : std::clamp(seconds, 0.0, kForeverSeconds);
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(bounded));
}

Readiness await_ready(int descriptor, short events, Deadline deadline) {
  while (true) {
    const int milliseconds = remaining_milliseconds(deadline);
    pollfd entry{.fd = descriptor, .events = events, .revents = 0};
    const int ready = ::poll(&entry, 1, milliseconds);
    if (ready > 0) return Readiness::ready;
    if (ready < 0 && errno != EINTR) return Readiness::failed;
    if (ready == 0 && remaining_milliseconds(deadline) == 0) return Readiness::timed_out;
  }
}

}  // namespace dovetail
