// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenclGate: keeps a device busy while the host enqueues the launches that are to be timed.
//
//   TRY(gate.close(queue, launches));        // a kernel that spins for as long as enqueuing takes
//   for (…) clEnqueueNDRangeKernel(…);       // all of them wait in the queue behind it
//   clFinish(queue);                         // the device ran them back to back
//
// Without it a kernel that is shorter than its enqueuing is timed as long as that: 4.3 µs of an
// empty kernel on an H100, 1.9 behind a gate (driver 580.159). A spinning kernel instead of a user
// event: a driver need not submit what waits for an event of the host before that event is set.

#include <cstdint>

#include "core/backends/opencl/driver/opencl_memory.h"
#include "core/base/result.h"

namespace dovetail {

class OpenclGate {
 public:
  // The queue has profiling enabled.
  explicit OpenclGate(cl_device_id device) : device_(device) {}

  // Enqueues a kernel that runs for as long as the host takes to enqueue `launches`. The first call
  // builds it and times its rounds.
  Result<void> close(const OpenclQueue& queue, size_t launches);

 private:
  Result<void> prepare(const OpenclQueue& queue);
  Result<void> enqueue(cl_command_queue queue, int64_t rounds, cl_event* event);

  cl_device_id device_;
  OwnedMemory sink_;  // takes the kernel's result, so that no compiler drops its rounds
  OwnedProgram program_;
  OwnedKernel kernel_;
  double rounds_per_second_ = 0;
};

}  // namespace dovetail
