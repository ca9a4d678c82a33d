// SPDX-License-Identifier: Apache-2.0
//
// A graph, written down, run as a network on this CPU and by the reference:
//
//   const Partition parts = parts_of(
//       "input x: f32[4]\nnode n = elementwise Relu (x) -> y: f32[4]\noutput y\n");
//   EXPECT_TRUE(runs_right(parts));
//
// Constants and inputs are drawn from one seed.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/frontend/partition/partition.h"
#include "deploy/layouts/choose_layouts.h"
#include "deploy/network/loaded_network.h"
#include "deploy/network/lower_network.h"
#include "measure/reference/region_reference.h"

namespace dovetail::testing {

Target cpu_here();
Partition parts_of(const std::string& lines, const PartitionOptions& options = {});

// Random points of each space.
TraceOfTask random_traces_of(const Target& target, uint64_t seed);

// Its layouts chosen by propagated().
Result<LoweredNetwork> lowered_network(const Partition& parts, const Target& target,
                                       const TraceOfTask& trace_of,
                                       Propagation propagation = Propagation::both);

// Call by call, calls run one by one first, each with its constants stored just before.
::testing::AssertionResult runs_right(const Partition& parts, const LoweredNetwork& lowered,
                                      StoreConstants when = StoreConstants::all);
::testing::AssertionResult runs_right(const Partition& parts);  // with default traces

}  // namespace dovetail::testing
