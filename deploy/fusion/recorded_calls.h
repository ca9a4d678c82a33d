// SPDX-License-Identifier: Apache-2.0
#pragma once

// recorded_calls: what a network runs, call by call, and how the tensors between calls are stored,
// as a line of a log has it and `show MODEL --what layout` prints it.
//
//   for (const CallOfNetwork& call : recorded_calls(parts, lowered)) …
//     conv1, with relu: given input as 2@1:224 3@1:224 1@1:3, made relu.Y as 1@16:4 2@1:112 …
//
// Calls and the steps of the network are in one order.

#include <vector>

#include "core/frontend/partition/partition.h"
#include "core/record/line/network_record.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

// `parts`: with what is fused. Seconds are the caller's to say.
std::vector<CallOfNetwork> recorded_calls(const Partition& parts, const LoweredNetwork& lowered);

}  // namespace dovetail
