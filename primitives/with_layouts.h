// SPDX-License-Identifier: Apache-2.0
//
// with_layouts: the first half of apply(). It applies the layouts of the trace and of the border,
// adds conversions between them, and gives every stage plain loops.
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
// On a device a kernel costs more than comparisons, and more than scattered reads:
//
//     layout Y: pad(axis=w, after=2) …        Y cropped: stores beyond w are left out
//     a residual, padded like Y               read as it arrives, 0 beyond its elements
//     cache_read(tensor=X, …, scope=local)    X is read as it arrives, into local memory
//
// Padding passes, conversions and framework layouts are one kind of stage: a copy between two
// layouts. There is none where the layouts of trace and border have equal normal forms.
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
