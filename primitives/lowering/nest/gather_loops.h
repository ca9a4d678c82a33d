// SPDX-License-Identifier: Apache-2.0
//
// Data-dependent loops of a stage that reduces: they are needed in the sum alone, or also for its
// epilogue.
//
//     Y[i] = sum(T[j, i]), j at I[k]             in the sum: j stands inside k, once a round
//     Y[i] = sum(X[i, k]) + U[j], j at J[i]      for the result: j stands inside i
//
// Why it matters: a sum begins and ends in loops over the output. A loop whose iteration depends on
// a reduction axis cannot be there, where that axis has no value.
#pragma once

#include "core/ir/schedule/schedule.h"

namespace dovetail {

// True if the epilogue, too, reads at the iteration of this gather loop.
bool is_for_result(const StageLoop& gather, const Stage& stage);

}  // namespace dovetail
