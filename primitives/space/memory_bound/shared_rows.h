// SPDX-License-Identifier: Apache-2.0
//
// Rows that the work-items of a group share: each makes a part of the root's row and, for itself,
// what is reduced along the whole row, which it reads from the caches as its neighbours do:
//
//   M[i] max= S[i,j]; E[i,j] = exp(S[i,j]-M[i]); D[i] += E[i,j]; Y[i,j] = E[i,j]/D[i]
//
//   for i bind group.0
//     for j.0.1 bind thread.0
//       M = max of S[i, ..]
//       D = sum of exp(S[i, ..] - M)
//       for j.0.0, j.1 vectorized
//         Y[i, j] = exp(S[i, j] - M) / D
//
// One kernel instead of four; what is reduced is computed once by each work-item instead of once,
// or in parts (row_sums.h).
#pragma once

#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/memory_bound/plan.h"
#include "primitives/space/memory_bound/stage_choices.h"

namespace dovetail::memory_bound {

// Whether work-items may share the rows of this root, given where its stages are made.
bool may_share_rows(const Plan& plan, const StageChoices& choices, const Stage& root);

// Sets the choices of the default rule, if sharing rows is worth it: its reductions are shared in
// parts, or what every work-item computes again takes less than the launches that are saved.
void want_shared_rows(const Plan& plan, const Target& target, const Stage& root, Choices& choices);

}  // namespace dovetail::memory_bound
