// SPDX-License-Identifier: Apache-2.0
#pragma once

// Regions through a real backend, against the independent reference.
//
//   expect_written_regions_right(target);      without a trace
//   expect_random_traces_right(target, 6);

#include "core/ir/target.h"

namespace dovetail::testing {

void expect_written_regions_right(const Target& target);
void expect_random_traces_right(const Target& target, int traces_each);
// Regions that are random themselves, with default traces and random ones.
void expect_random_regions_right(const Target& target, int regions);
// The default point and others, of spaces without a product.
void expect_points_right(const Target& target, int points);
void expect_bottleneck_right(const Target& target);      // three convolutions in one kernel
void expect_sliding_traces_right(const Target& target);  // rings, tiles in workspace

}  // namespace dovetail::testing
