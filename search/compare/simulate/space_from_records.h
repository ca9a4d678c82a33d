// SPDX-License-Identifier: Apache-2.0
#pragma once

// A measured space from the records of a campaign that tried every point (the strategy exhaustive):
//
//   MeasuredSpace measured = TRY(space_from_records(reduced, log.records));
//   space_statistics(evaluations_of(measured))
//
// Points are in the order of the space, the last parameter varying fastest. Left out are points
// with an illegal trace (it has no record) or the trace of an earlier point, and parameters with a
// single value. A point with confirmations (measured again at the end) has the median of their
// times: the best of thousands of single measurements is partly luck.

#include <span>
#include <vector>

#include "core/record/export/measured_space.h"
#include "core/record/line/record.h"
#include "primitives/space/space.h"
#include "search/compare/statistics/space_statistics.h"

namespace dovetail {

// Records of one campaign and of this space's task; an error names a trace that cannot be read.
Result<MeasuredSpace> space_from_records(const Space& space, std::span<const Record> records);

// The cost is the time of build, check and run, which keep a device busy.
Evaluation evaluation_of(const MeasureResult& result);
// In the order of the points.
std::vector<Evaluation> evaluations_of(const MeasuredSpace& space);

}  // namespace dovetail
