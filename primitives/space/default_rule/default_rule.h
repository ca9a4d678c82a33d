// SPDX-License-Identifier: Apache-2.0
//
// The default trace's rule: on threads a register tile chosen by a formula (register_tile.h), and
// choices that follow from it, below; on a device a tile of a work-group (group_tile.h).
//
// Without a pure reduction, windows are unrolled up to 256 multiply-adds. With a tile of one
// vector, windows are unrolled, innermost first; with more, the reduction is unrolled by 4 (2
// beyond 16 accumulators) in blocks of at most 16. Weights are tiled by the whole register tile,
// outputs by 16 channels, as inputs are, so that consumers read what producers store: two vectors
// of 8, which depthwise operators compute in turn. The input is read unpadded: lowering clips and
// peels the borders (docs/decisions/0011), which was faster than a padding pass on every
// convolution measured. It is padded where a transposed convolution has more than 2 phases, with
// which its bounds move.
#pragma once

#include <optional>

#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/contraction/contraction_plan.h"

namespace dovetail {

struct DefaultChoices {
  Choices choices;
  // By the formula of devices; nullopt on threads, whose rule compares tiles and not programs.
  std::optional<double> estimated_seconds = {};
};
DefaultChoices default_choices(const ContractionPlan& plan, const Target& target);

}  // namespace dovetail
