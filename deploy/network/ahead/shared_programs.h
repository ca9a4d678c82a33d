// SPDX-License-Identifier: Apache-2.0
#pragma once

// with_programs: a network whose calls run other programs, one for each call; calls of one text
// share theirs.
//
//   call p 0   call q 0   call r 1      with_programs(network, {A, B, B})
//   ->  call p 0   call q 1   call r 1

#include <vector>

#include "core/ir/network/network_program.h"

namespace dovetail {

// `programs`: as many as there are calls (CHECKed). Buffers of the calls are the caller's to fit.
NetworkProgram with_programs(NetworkProgram network, const std::vector<Program>& programs);

}  // namespace dovetail
