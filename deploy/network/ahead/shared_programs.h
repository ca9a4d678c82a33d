// SPDX-License-Identifier: Apache-2.0
#pragma once

// with_programs: a network of which some calls run other programs; calls of one text share theirs.
//
//   call p 0   call q 0   call r 1      with_programs(network, {A, nothing, nothing})
//   ->  call p 0   call q 1   call r 2  0: A, 1: what was 0, 2: what was 1
//
// Asking ahead (inputs_ahead.h, weights_ahead.h) changes few calls of many, so that only those
// are compared.

#include <optional>
#include <vector>

#include "core/ir/network/network_program.h"

namespace dovetail {

// `others`: one for each call (CHECKed); nothing: the call keeps its program. Buffers of the calls
// are the caller's to fit.
NetworkProgram with_programs(NetworkProgram network, std::vector<std::optional<Program>> others);

// The iterations of the loop are written as loops of their own, so that each of them can ask.
bool can_ask(const Loop& loop);

}  // namespace dovetail
