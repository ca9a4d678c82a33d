// SPDX-License-Identifier: Apache-2.0
//
// Checks of one stage's accesses before its nest is built: lanes are contiguous, an image is
// written in whole texels, and every index is in the storage.
//
//     loops Y: … vectorize(w)      Y[n, o, h, w] in rows              lanes are 1 element apart
//     the same                     Y[n, h, w, o] channels innermost   refused: 64 elements apart
//
// Each error is one line that names the loop or the layout, so that a trace's author sees which of
// the two to change.
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

// Name of the vectorized loop; null: none.
const std::string* lane_of(const Stage& stage);
bool mentions_lane(const Stage& stage, const std::vector<Bound>& bounds);

// The attached stage that computes the tensor, when it is a tile.
const Stage* maker_of(const StageInKernel& kernel, const std::string& tensor);
// Types of the kernel's loads. Other leaves are accumulators, of the type of the computation's
// reduction. Precondition: kernel and computation outlive the result.
TypeOfLoad types_of_loads(const StageInKernel& kernel, const Computation& computation);
// Extents of the tensor's tile, or of its layout.
std::vector<int64_t> stored_extents(const StageInKernel& kernel, const std::string& tensor);

// Fails unless lanes are 0 to `most` elements apart: 1 for stores, and for reads under bounds that
// depend on the lane; 2 for other reads (windows of stride 2). Anything else would be a gather,
// which only a copy into an image does.
Result<void> check_lanes(const StageInKernel& kernel, const std::string& tensor,
                         const std::vector<IndexExpr>& indices, int64_t most);
// Fails unless an image is written by whole texels, once. `written`: indices of the stage's output.
Result<void> check_texels(const StageInKernel& kernel, const std::vector<IndexExpr>& written);
// Fails unless ranges prove that every index is inside the storage where the bounds hold.
Result<void> check_inside(const StageInKernel& kernel, const std::string& tensor,
                          const RewrittenAccess& access);
// Rewrites a bound without division by the lane, since lanes share one mask; fails if it cannot.
Result<Bound> evenly_in_lanes(const Stage& stage, const std::string& tensor, const Bound& bound);

// Bounds within which a stored element of the output is an element of the tensor.
Result<std::vector<Bound>> stored_bounds(const StageInKernel& kernel);
// Fails where an index that is used as a number divides the lane.
Result<void> check_numbers(const Stage& stage);

// Fails where a loop inside a gather loop determines its iteration.
Result<void> check_known_outside(const Stage& stage, const StageLoop& chosen,
                                 const GatherIndex& index);
// The loop over groups of pairs is not what it was when the other stage was attached.
Result<void> check_outside_pairs(const Stage& stage, const Stage& other);

}  // namespace dovetail
