// SPDX-License-Identifier: Apache-2.0
//
// Random networks for tests of memory plans, and a memory that records the last writer:
//
//   std::vector<MemoryOwners> memory = owners_of(plan);
//   EXPECT_EQ(run_owners(network, plan, memory), "");
//
// Inputs and constants are written first, then kernels run in order. Buffers must be intact when a
// kernel reads them; outputs and constants, also at the end. The accesses come from the kernels
// themselves, not from the planner's lifetimes.
#pragma once

#include <string>
#include <vector>

#include "deploy/network/network_plan.h"

namespace dovetail::testing {

// Up to twelve calls, of one or two kernels, on inputs, constants (some of them prepared) and what
// was made before; some inputs nobody reads, some outputs are read again.
NetworkProgram random_network(uint64_t seed);

// The buffer that wrote it last, for each 64 bytes of an arena.
using MemoryOwners = std::vector<size_t>;
std::vector<MemoryOwners> owners_of(const NetworkPlan& plan);

// Says what went wrong, or nothing.
std::string run_owners(const NetworkProgram& network, const NetworkPlan& plan,
                       std::vector<MemoryOwners>& memory);

}  // namespace dovetail::testing
