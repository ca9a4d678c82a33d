// SPDX-License-Identifier: Apache-2.0
//
// with_layouts: the first half of apply(): the trace's layouts, the border's, and what lies between
// them; every stage with plain loops.
//
//     X given plain, and the trace says       layout X: split(axis=i, factor=16) reorder(…, i.1)
//       X.given   activation   plain
//       X         temporary    blocks of 16 channels, made of X.given by a stage of its own
//
//     the same where X is to be padded        layout X: pad(axis=h, before=1, after=1) …
//       X         activation   plain
//       X.pad     temporary    padded and blocked, made of X in one pass
//
//     Y wanted plain, stored in blocks        Y temporary, Y.wanted output
//
// One builder makes padding passes, conversions and framework layouts: a stage that copies between
// two layouts. Where the trace's layout and the border's are equal by their normal forms there is
// none.
#pragma once

#include "core/base/result.h"
#include "core/ir/region/border.h"
#include "core/ir/region/region.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

Result<Schedule> with_layouts(const Trace& trace, const Region& region, const Border& border,
                              const Target& target);

}  // namespace dovetail
