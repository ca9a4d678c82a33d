// SPDX-License-Identifier: Apache-2.0
//
// The direct sum: a contraction as it is written, with the common rule's parameters. Rows that lie
// together are iterated as one axis, and tails are cut instead of padded, where threads run it.
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
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

}  // namespace dovetail
