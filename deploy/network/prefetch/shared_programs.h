// SPDX-License-Identifier: Apache-2.0
#pragma once

// with_programs: replaces the programs of some calls; programs with equal text are shared.
//
//   call p 0   call q 0   call r 1      with_programs(network, {A, nothing, nothing})
//   ->  call p 0   call q 1   call r 2  0: A, 1: what was 0, 2: what was 1
//
// Prefetching (prefetch_inputs.h, prefetch_weights.h) changes few calls of many, so only the new
// programs are compared.

#include <optional>
#include <vector>

#include "core/ir/network/network_program.h"

namespace dovetail {

// `others` has one entry per call (CHECKed); an empty one keeps the call's program. The caller
// adapts the calls' buffers.
NetworkProgram with_programs(NetworkProgram network, std::vector<std::optional<Program>> others);

// True for serial and parallel loops over all iterations: each of these can prefetch.
bool can_ask(const Loop& loop);

}  // namespace dovetail
