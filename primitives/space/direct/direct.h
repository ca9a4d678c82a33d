// SPDX-License-Identifier: Apache-2.0
//
// The direct sum: a contraction as it is written, with the common rule's parameters. Rows that lie
// together are iterated as one axis, and tails are cut instead of padded, where threads run it.
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/ir/operator/operator.h"
#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "primitives/space/alternatives.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/space.h"

namespace dovetail {

// The region's anchor is planned; its other computations keep plain loops. `vector_axis`: the only
// output axis that vectors may run over.
Result<ContractionPlan> direct_plan(const Region& region, const Target& target, RowAxes rows,
                                    const std::optional<std::string>& vector_axis = std::nullopt);

// The common rule's parameters, decoding and default.
Alternative common_alternative(const std::string& name, ContractionPlan plan, const Target& target);

// In whole vectors; with a `layout`, loops only.
Result<Alternative> direct_alternative(const Region& region, const Target& target,
                                       const std::optional<FixedLayout>& layout, RowAxes rows);

// Channels that whole vectors do not divide, in vectors of half the width.
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
//
// The direct sum in half vectors; nullopt where these save less than a twentieth of the lanes, or
// do not exist. The default where they save a seventh (a tenth where all tensors share the axis)
// and cost nothing.
Result<std::optional<Alternative>> half_vectors(const Region& region, const Target& target,
                                                RowAxes rows);

// The alternative in_place: loops over tensors in framework layouts, without conversions. It is
// offered, beside those that choose layouts and pay for conversions, where a task's border has
// framework layouts.
//
//     c2d:ci=64,co=64,h=56,w=56,k=1 | X as row_major; Y as row_major
//       layout X: fuse(a=h, b=w)         h and w lie together and are read together: one axis of
//       layout Y: fuse(a=h, b=w)         3136, 196 whole vectors, where w alone has 3.5
//       loops: …                         vectors along h_w; tiles divide the extents
//
// Vectors run over the output's innermost axis. Weights keep their choices: they are packed ahead.
//
// The default where its vectors are full: a conversion then costs more than it gains. nullopt where
// vectors along the output's innermost axis would be less than half full, or where their lanes are
// not adjacent in an input.
Result<std::optional<Alternative>> in_place_alternative(const Operator& op, const Target& target);

}  // namespace dovetail
