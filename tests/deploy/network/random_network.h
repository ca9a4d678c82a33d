// SPDX-License-Identifier: Apache-2.0
//
// Networks of random shape, for plans of memory, and memory that remembers who wrote it:
//
//   std::vector<MemoryOwners> memory = owners_of(plan);
//   EXPECT_EQ(run_owners(network, plan, memory), "");
//
// Inputs and constants are written first; then kernels run in their order, each finds what it reads
// as it was left, and at the end so are outputs and constants. It asks the network what kernels do,
// and knows nothing of lifetimes.
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
