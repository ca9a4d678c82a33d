// SPDX-License-Identifier: Apache-2.0
//
// inline(): put what the stage computes where it is read; the stage and its tensor are gone.
//
//   X.pad[h, w] = (0 <= h - 1 < 56 and …) ? X[h - 1, w - 1] : 0
//   Y[h, w] += X.pad[h + kh, w + kw] * W[kh, kw]
//   ->
//   Y[h, w] += ((0 <= h + kh - 1 < 56 and …) ? X[h + kh - 1, w + kw - 1] : 0) * W[kh, kw]
//
// Requires: 1) it is alone in its line; 2) the stage is not the operator itself; 3) the stage
// copies one tensor, element by element: a sum would be computed again at each of its reads.
// Inverse: none; a stage without it is computed.
// Elsewhere: compute_inline (TVM, Halide), inline (Exo).
#pragma once

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// `stage` is the name of the one that goes.
Result<Schedule> apply(const loop::Inline& primitive, const Schedule& schedule,
                       const std::string& stage);

}  // namespace dovetail
