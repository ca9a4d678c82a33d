// SPDX-License-Identifier: Apache-2.0
//
// Half vectors: channels that whole vectors do not divide, in vectors of half the width.
//
//   24 channels, vectors of 16     16 + 8 and 8 of padding    two vectors a pixel, 3/4 used
//   the same in vectors of 8       8 + 8 + 8                  three half ones, all used
//
// Half the lanes mean half the rate where a processor has pipes as wide as its vectors; there the
// padding costs less. Where two pipes of half the width make one whole vector, half vectors lose
// nothing, and the padding is saved: a quarter of MobileNet-V2's projections to 24 channels.
//
// Why a space of its own beside the direct sum's, not a domain of wider choice: every tile of the
// layouts and loops counts in vectors, so that lanes are not one parameter but the unit of many.
#pragma once

#include <optional>

#include "core/ir/target.h"
#include "primitives/space/structure.h"

namespace dovetail {

// The target that spaces see: with vectors of half the width. Nothing where they would save less
// than a twentieth of the lanes of the structure's vector axis, or there are no such vectors.
std::optional<Target> half_vector_target(const Structure& whole, const Target& target);

// The default rule takes them: they save a seventh (a tenth of what is shared by all tensors), on a
// processor that is known to compute two half vectors while it computes a whole one.
bool halves_are_faster(const Structure& whole, const Target& target);

}  // namespace dovetail
