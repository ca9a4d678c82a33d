// SPDX-License-Identifier: Apache-2.0
//
// How much the laws over random traces draw (random_trace_laws.cc, region_laws.cc), which are among
// the fast tests as among the slow ones: there all of it, here a third.
//
//   for (int k = 0; k < drawn(150); ++k) ...     50 or 150 times
#pragma once

namespace dovetail::testing {

int drawn(int all);

}  // namespace dovetail::testing
