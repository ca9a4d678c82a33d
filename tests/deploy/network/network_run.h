// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph, written as text, as a network on this CPU and by the reference:
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

// Two convolutions behind each other, t between them; both in 8x8, so that nothing is padded.
inline constexpr const char* kTwoConvolutions =
    "input x: f32[1,32,8,8]\nconstant a: f32[48,32,1,1]\nconstant b: f32[16,48,1,1]\n"
    "node c1 = complex c2d:ci=32,co=48,h=8,w=8,k=1 (x, a) -> t: f32[1,48,8,8]\n"
    "node c2 = complex c2d:ci=48,co=16,h=8,w=8,k=1 (t, b) -> u: f32[1,16,8,8]\n"
    "node f = elementwise Abs (u) -> y: f32[1,16,8,8]\noutput y\n";

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
                                      StoreConstants when = StoreConstants::all,
                                      const NetworkPlanOptions& plan = {});
::testing::AssertionResult runs_right(const Partition& parts);  // with default traces
// The same on another target, whole: a device has its constants when it is loaded.
::testing::AssertionResult runs_right_on(const Target& target, const Partition& parts,
                                         const LoweredNetwork& lowered);

}  // namespace dovetail::testing
