// SPDX-License-Identifier: Apache-2.0
#pragma once

// PlannedBuffers: a network's buffers by the memory that they go to, each with its lifetime in
// kernels; what a plan of the network is made of, and what it is stated as.
//
//   buffer x    activation    boundary   0 to the end      inside: workspace, 0 to its last reader
//   buffer t    temporary     workspace  as it is used
//   buffer W    constant      constants  0 to the end      only prepared from: preparation
//   buffer y    output        boundary   0 to the end      inside: workspace, its writer to the end
//
// An input that nobody reads is alive at the start all the same: whoever writes inputs writes it,
// too, and may not write over another one.

#include <vector>

#include "core/memory/planning_problem.h"
#include "deploy/network/network_plan.h"

namespace dovetail {

struct PlannedBuffer {
  size_t number = 0;  // among the network's buffers
  LiveInterval lifetime = {};
  friend bool operator==(const PlannedBuffer&, const PlannedBuffer&) = default;
};

// The workspace's are in the order of the network's buffers, the others in the order of use.
struct PlannedBuffers {
  std::vector<PlannedBuffer> workspace, constants, preparation, boundary;
};

PlannedBuffers planned_buffers(const NetworkProgram& network, NetworkBoundary boundary);

std::vector<size_t> numbers_of(const std::vector<PlannedBuffer>& buffers);

// Constants are only read; everything else is written.
LiveBuffer live_buffer(const NetworkProgram& network, const PlannedBuffer& buffer);

PlanningProblem problem_of(const NetworkProgram& network, const std::vector<PlannedBuffer>& buffers,
                           std::vector<Pool> pools);

// Times are calls: what only kernels that run once read is alive from the first call that names it
// to the last one, because weights are stored and prepared call by call.
PlanningProblem preparation_problem(const NetworkProgram& network,
                                    const std::vector<PlannedBuffer>& buffers);

}  // namespace dovetail
