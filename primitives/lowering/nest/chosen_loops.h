// SPDX-License-Identifier: Apache-2.0
//
// Loops whose iteration data choose, of a stage that reduces: in the sum alone, or around what is
// made of it as well.
//
//     Y[i] = sum(T[j, i]), j at I[k]             in the sum: j stands inside k, once a round
//     Y[i] = sum(X[i, k]) + U[j], j at J[i]      for the result: j stands inside i
//
// Why it matters: the loops that begin and end a sum are those of the output. One that chooses by
// what is summed over has no place there, where nothing of it is known.
#pragma once

#include "core/ir/schedule/schedule.h"

namespace dovetail {

// Whether what the stage makes of a finished sum depends on the chosen loop.
bool is_for_result(const StageLoop& chosen, const Stage& stage);

}  // namespace dovetail
