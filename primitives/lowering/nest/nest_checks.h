// SPDX-License-Identifier: Apache-2.0
//
// Checks of one stage's accesses before its nest is built: whether lanes lie beside each other,
// whether an image is written in whole texels, and whether every index lies in the storage.
//
//     loops Y: … vectorize(w)      Y[n, o, h, w] in rows              lanes are 1 element apart
//     the same                     Y[n, h, w, o] channels innermost   refused: 64 elements apart
//
// Each error is one line that names the loop or the layout, so that a trace's author sees which of
// both to change.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule/schedule.h"
#include "primitives/lowering/nest/access.h"
#include "primitives/lowering/nest/beyond_integers.h"

namespace dovetail {

// A stage with the tensors of its schedule and the other stages of its kernel; it holds references.
struct StageInKernel {
  const Stage& stage;
  const std::vector<ScheduledTensor>& tensors;
  std::span<const Stage> attached;
};

// The loop that is vectorized; null: none is.
const std::string* lane_of(const Stage& stage);
bool mentions_lane(const Stage& stage, const std::vector<Bound>& bounds);

// The attached stage that makes the tensor, when it is a tile.
const Stage* maker_of(const StageInKernel& kernel, const std::string& tensor);
// Types of the kernel's loads. Other leaves are what the computation reduces, which an accumulator
// holds. The kernel and the computation outlive the result.
TypeOfLoad types_of_loads(const StageInKernel& kernel, const Computation& computation);
// The tile's or the layout's.
std::vector<int64_t> stored_extents(const StageInKernel& kernel, const std::string& tensor);

// Neighbouring lanes write one element or neighbours, and read these or, unless that depends on the
// lane, every second one (windows that move by two); anything else would be a gather, which only a
// copy into an image does. `most`: 1 or 2 elements.
Result<void> check_lanes(const StageInKernel& kernel, const std::string& tensor,
                         const std::vector<IndexExpr>& indices, int64_t most);
// An image is written a whole texel at a time, once. `written`: the indices of the stage's output.
Result<void> check_texels(const StageInKernel& kernel, const std::vector<IndexExpr>& written);
// Where the bounds hold, every index is inside the storage, and ranges show it.
Result<void> check_inside(const StageInKernel& kernel, const std::string& tensor,
                          const RewrittenAccess& access);
// Lanes share one mask, so a bound must move evenly with them: the bound as it does.
Result<Bound> evenly_in_lanes(const Stage& stage, const std::string& tensor, const Bound& bound);

// Where the tensor that is made has elements among what is stored of it.
Result<std::vector<Bound>> stored_bounds(const StageInKernel& kernel);
// Indices that are numbers of the computation move evenly with the lanes, too.
Result<void> check_numbers(const Stage& stage);

// All that names a chosen loop's iteration is decided by loops around it.
Result<void> check_known_outside(const Stage& stage, const StageLoop& chosen,
                                 const ChosenIndex& index);
// The loop that counts pairs is not what it was when the other stage was attached.
Result<void> check_outside_pairs(const Stage& stage, const Stage& other);

}  // namespace dovetail
