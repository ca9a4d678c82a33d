// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measured spaces without a device: every legal point of a space with a made-up time.

#include "core/record/export/measured_space.h"
#include "primitives/space/space.h"

namespace dovetail::testing {

// Times are smooth in the point's values, so that there is something to learn; a 23rd of the points
// failed. Each evaluation costs 10 ms and a hundred runs.
MeasuredSpace made_up_measurements(const Space& space);

// The reduced space of an operator for a small CPU, and its measurements.
struct ReducedMeasurements {
  Space space;
  MeasuredSpace measured;
};
ReducedMeasurements reduced_measurements(const std::string& spec, int64_t most_points = 400);
// The operator is a small product.
ReducedMeasurements reduced_product(int64_t most_points = 400);

}  // namespace dovetail::testing
