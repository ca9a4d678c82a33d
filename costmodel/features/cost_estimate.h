// SPDX-License-Identifier: Apache-2.0
#pragma once

// CostEstimate: seconds of a program by an analytic model, a roofline with several roofs (Williams,
// Waterman and Patterson, 2009; the levels of caches as in Ilic's cache-aware one):
//
//   per body       max(arithmetic / 2,  loads / 2,  stores / 1,  chain)  +  branches
//     arithmetic   multiply-adds and other operations, in vector instructions
//     loads        broadcasts, vectors, gathers by lane, half of the spills
//     chain        4 cycles · multiply-adds one accumulator waits for
//     branches     1 cycle an iteration of the innermost real loop, a few each time a loop is left
//   seconds        max(Σ bodies,  bytes into L1 / 32,  bytes into L2 / 16,  bytes into L3 / 8)
//                  + a quarter of what lies below the largest, / (parallel units · clock)
//
// in bytes a cycle of one core. The constants are those of a current CPU; they need not be right
// for a device, because the model only orders the candidates of one task. On GPUs a body is that of
// one work-item, of which `vector lanes` of a compute unit are busy at once, and work-groups come
// in waves.

#include "core/ir/target.h"
#include "costmodel/features/body_work.h"
#include "costmodel/features/program_facts.h"

namespace dovetail {

// Cycles, all bodies and all work-items together, except `seconds`.
struct CostEstimate {
  double arithmetic = 0, loads = 0, stores = 0, chain = 0, branches = 0;
  double compute = 0;                               // Σ bodies
  double l1_bytes = 0, l2_bytes = 0, l3_bytes = 0;  // moved into
  double l1 = 0, l2 = 0, l3 = 0;                    // cycles for it
  double parallel_units = 1;                        // cores, or lanes of a GPU, that are kept busy
  double seconds = 0;
};

// `bodies` are those of facts.statements, in their order.
CostEstimate estimate_cost(const ProgramFacts& facts, std::span<const BodyWork> bodies,
                           const Target& target);

// The seconds alone, from the beginning; above 0.
double estimated_seconds(const Program& program, const Target& target);

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
double cache_traffic_bytes(const ProgramFacts& facts, double cache_bytes);

std::vector<BodyWork> bodies_of(const ProgramFacts& facts, const Target& target);

// How the program's outer loops spread over the device.
struct Spread {
  double groups = 1;      // parallel iterations, or work-groups, of the largest kernel
  double threads = 1;     // work-items of a group
  double units = 1;       // that the device has
  double efficiency = 1;  // share of the units that work, the last wave included
};
Spread spread_of(const ProgramFacts& facts, const Target& target);

}  // namespace dovetail
