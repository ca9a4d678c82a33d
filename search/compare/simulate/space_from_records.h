// SPDX-License-Identifier: Apache-2.0
#pragma once

// A measured space from the records of a campaign that tried every point (the strategy exhaustive):
//
//   MeasuredSpace measured = TRY(space_from_records(reduced, log.records));
//   space_statistics(evaluations_of(measured))
//
// Points stand in the order of the space, the last parameter first; a trace that several points
// decode to, and a point whose trace is illegal (it has no record) is left out. Of parameters only
// those with more than one value are kept. A point that was measured again at the end (a
// confirmation) takes the median of those times: the best of thousands of single measurements is
// best by luck, too.

#include <span>
#include <vector>

#include "core/record/export/measured_space.h"
#include "core/record/line/record.h"
#include "primitives/space/space.h"
#include "search/compare/statistics/space_statistics.h"

namespace dovetail {

// Records of one campaign and of this space's task; an error names a trace that cannot be read.
Result<MeasuredSpace> space_from_records(const Space& space, std::span<const Record> records);

// It costs build, check and run: what a device would have been busy with.
Evaluation evaluation_of(const MeasureResult& result);
// In the order of the points.
std::vector<Evaluation> evaluations_of(const MeasuredSpace& space);

}  // namespace dovetail
