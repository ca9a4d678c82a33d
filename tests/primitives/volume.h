// SPDX-License-Identifier: Apache-2.0
//
// The number of cases that the laws over random traces draw (random_trace_laws.cc, region_laws.cc),
// which are built as fast and as slow tests: fast ones draw a third.
//
//   for (int k = 0; k < drawn(150); ++k) ...     50 or 150 times
#pragma once

namespace dovetail::testing {

int drawn(int all);

}  // namespace dovetail::testing
