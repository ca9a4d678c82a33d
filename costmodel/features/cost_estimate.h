// SPDX-License-Identifier: Apache-2.0
//
// The innermost code of a program in instructions, and an analytic model of its time.
#pragma once

#include "core/ir/target.h"
#include "costmodel/features/program_facts.h"

namespace dovetail {

// BodyWork: the straight-line code that a store becomes, with its innermost unrolled and vectorized
// loops written out, in vector instructions of the target.
//
//   for i in 0..4 unrolled, w in 0..8 unrolled, o.0 in 0..2 unrolled, o.1 in 0..16 vectorized:
//     acc[w, o.0, o.1] += X[w, i] * W[i, o.0, o.1]          16 lanes:
//   64 multiply-adds into 16 accumulators, 32 loads of X (one element for all lanes), 8 of W
//
// A load that the innermost real loop does not move is made before it (`hoisted`), where registers
// last. What does not fit in the registers is stored and loaded again (`spills`).
struct BodyWork {
  double executions = 0;        // of the body
  double lanes = 1;             // elements of its vectors; 1: scalar code
  double vectors = 1;           // instructions for one such vector
  double unrolled = 1;          // copies of the statement
  double multiply_adds = 0;     // instructions, as all below
  double operations = 0;        // other arithmetic
  double guards = 0;            // bounds tested
  double broadcasts = 0;        // loads of one element for all lanes
  double vector_loads = 0;      // of neighbours
  double gathers = 0;           // of elements apart, one instruction a lane
  double hoisted = 0;           // loads made before the innermost real loop, per body
  double stores = 0;            // to memory
  double scatters = 0;          // of elements apart, one instruction a lane
  double accumulators = 1;      // vectors that are added to, independent of each other
  double register_tile = 0;     // vectors of all register tiles that it uses
  double live_registers = 0;    // of the tile, the operands that wait beside it, and one more
  double spills = 0;            // loads and stores for want of registers
  double inner_iterations = 1;  // of the innermost real loop around it
};

BodyWork body_work(const ProgramFacts& facts, const StatementFacts& statement,
                   const Target& target);

// First of the statement's loops that belongs to the body; their number when none does.
size_t body_begin(const ProgramFacts& facts, const StatementFacts& statement);

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
//
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
