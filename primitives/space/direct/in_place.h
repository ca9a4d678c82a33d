// SPDX-License-Identifier: Apache-2.0
//
// The alternative in_place: loops over tensors in framework layouts, without conversions. It is
// offered, beside those that choose layouts and pay for conversions, where a task's border has
// framework layouts.
//
//     c2d:ci=64,co=64,h=56,w=56,k=1 | X as plain; Y as plain
//       layout X: fuse(a=h, b=w)         h and w lie together and are read together: one axis of
//       layout Y: fuse(a=h, b=w)         3136, 196 whole vectors, where w alone has 3.5
//       loops: …                         vectors along h_w; tiles divide the extents
//
// Vectors run over the output's innermost axis. Weights keep their choices: they are packed ahead.
#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/ir/operator/operator.h"
#include "core/ir/target.h"
#include "primitives/space/alternatives.h"

namespace dovetail {

// The default where its vectors are full: a conversion then costs more than it gains. nullopt where
// vectors along the output's innermost axis would be less than half full, or where their lanes are
// not adjacent in an input.
Result<std::optional<Alternative>> in_place_alternative(const Operator& op, const Target& target);

}  // namespace dovetail
