// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measured spaces without a device: every legal point of a space with a made-up time.

#include "core/record/measured_space.h"
#include "primitives/space/space.h"

namespace dovetail::testing {

// Smooth in the point's values, so that there is something to learn; a 23rd of the points failed.
// Each evaluation costs 10 ms and a hundred runs.
MeasuredSpace made_up_measurements(const Space& space);

// The reduced space of a small product for a small CPU, and its measurements.
struct ReducedProduct {
  Space space;
  MeasuredSpace measured;
};
ReducedProduct reduced_product(int64_t most_points = 400);

}  // namespace dovetail::testing
