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
// Why a separate alternative and not one more parameter: tiles of layouts and loops count in
// vectors, so that the number of lanes is the unit of many parameters.
#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "primitives/space/alternatives.h"
#include "primitives/space/space.h"

namespace dovetail {

// The direct sum in half vectors; nullopt where these save less than a twentieth of the lanes, or
// do not exist. The default where they save a seventh (a tenth where all tensors share the axis)
// and cost nothing.
Result<std::optional<Alternative>> half_vectors(const Region& region, const Target& target,
                                                RowAxes rows);

}  // namespace dovetail
