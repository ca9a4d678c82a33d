// SPDX-License-Identifier: Apache-2.0
#pragma once

// recorded_calls: a network's calls and the layouts of the tensors between them, as a log line
// stores them and `show MODEL --what layout` prints them.
//
//   for (const CallOfNetwork& call : recorded_calls(parts, lowered)) …
//     conv1, with relu: given input as 2@1:224 3@1:224 1@1:3, made relu.Y as 1@16:4 2@1:112 …
//
// Entry i belongs to step i of the network.

#include <vector>

#include "core/frontend/partition/partition.h"
#include "core/record/line/network_record.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

// `parts` has its chains fused. The caller fills in the seconds.
std::vector<CallOfNetwork> recorded_calls(const Partition& parts, const LoweredNetwork& lowered);

}  // namespace dovetail
