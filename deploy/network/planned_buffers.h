// SPDX-License-Identifier: Apache-2.0
#pragma once

// PlannedBuffers: a network's buffers grouped by memory, each with its lifetime in kernels; the
// input of planning and of the plan's text.
//
//   buffer x    activation    boundary   0 to the end      inside: workspace, 0 to its last reader
//   buffer t    temporary     workspace  as it is used
//   buffer W    constant      constants  0 to the end      only prepared from: preparation
//   buffer y    output        boundary   0 to the end      inside: workspace, its writer to the end
//
// An input without a consumer is alive at the start all the same: the caller writes it with the
// others, so it must not overlap them.
//
// Constant images come behind the other constants: a device holds each image as an object of its
// own, so that its arena of constants can end before them.

#include <vector>

#include "core/memory/planning_problem.h"
#include "deploy/network/network_plan.h"

namespace dovetail {

struct PlannedBuffer {
  size_t number = 0;  // among the network's buffers
  LiveInterval lifetime = {};
  friend bool operator==(const PlannedBuffer&, const PlannedBuffer&) = default;
};

// `workspace` is in the order of the network's buffers, the others in the order of use.
struct PlannedBuffers {
  std::vector<PlannedBuffer> workspace, constants, preparation, boundary, images;
};

PlannedBuffers planned_buffers(const NetworkProgram& network, NetworkBoundary boundary);

std::vector<size_t> numbers_of(const std::vector<PlannedBuffer>& buffers);

// Constants are read-only; all other buffers are written.
LiveBuffer live_buffer(const NetworkProgram& network, const PlannedBuffer& buffer,
                       int64_t alignment);

PlanningProblem problem_of(const NetworkProgram& network, const std::vector<PlannedBuffer>& buffers,
                           std::vector<Pool> pools, int64_t alignment = kBufferAlignment);

// Time is counted in calls: a buffer that only kernels run once read is alive from the first call
// that names it to the last one, because weights are stored and prepared call by call.
PlanningProblem preparation_problem(const NetworkProgram& network,
                                    const std::vector<PlannedBuffer>& buffers);

}  // namespace dovetail
