// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bytes that move into a cache of a given size, by the loops' footprints:
//
//   a loop whose one iteration fits keeps what the next one needs too: it loads what all of its
//   iterations touch, once:                                          total_bytes
//   a loop whose one iteration does not fit loads, each time, what the loops inside load
//
//   gmm, m outside n outside k, a cache that holds a row of A and a column of B but not all of B:
//     n fits per iteration: for each m the row once and all of B    m · (bytes of B + …)
//
// This is the stack-distance argument of Ferrante, Sarkar and Thrash, "On Estimating and Enhancing
// Cache Effectiveness" (1991), for a cache with no conflicts. A program that fits whole loads
// nothing, because it is measured hot.

#include "costmodel/features/program_facts.h"

namespace dovetail {

double cache_traffic_bytes(const ProgramFacts& facts, double cache_bytes);

}  // namespace dovetail
