// SPDX-License-Identifier: Apache-2.0
//
// layout_of: the layout that a trace gives a tensor, by its lines or by what it goes with.
//
//     layout Y: split(axis=o, factor=16) reorder(n, o.0, h, w, o.1)
//       Y      [n] [o.0] [h] [w] [o.1]
//       bias   [o.0] [o.1]                  no lines of its own: like the output
//       add    [n] [o.0] [h] [w] [o.1]      a residual likewise
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/ir/schedule/trace.h"
#include "primitives/algorithm/planned_stages.h"
#include "primitives/layout/store_at.h"

namespace dovetail {

Result<Layout> layout_of(const Tensor& tensor, const Trace& trace,
                         const std::vector<PlannedStage>& plan, const Guests& guests);

}  // namespace dovetail
