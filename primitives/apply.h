// SPDX-License-Identifier: Apache-2.0
//
// apply: region + border + trace -> schedule. Layout primitives first, tensor by tensor; then the
// loops are rebuilt over the output's physical axes; then the loop primitives, in order. An illegal
// primitive fails with one line that names the primitive, the axis or loop, and both values:
// `layout X: split(axis=i, factor=3): factor 3 does not divide extent 64 of axis i; pad first or
// use 2, 4, 8, …`.
#pragma once

#include "core/base/result.h"
#include "core/ir/region/border.h"
#include "core/ir/region/region.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

Result<Schedule> apply(const Trace& trace, const Region& region, const Border& border,
                       const Target& target);
// Without a border: no layouts are prescribed.
Result<Schedule> apply(const Trace& trace, const Region& region, const Target& target);
Result<Schedule> apply(const Trace& trace, const Operator& op, const Target& target);

}  // namespace dovetail
