// SPDX-License-Identifier: Apache-2.0
//
// Instruction counts of a program's innermost code, and an analytic model of its time.
#pragma once

#include "core/ir/target.h"
#include "costmodel/features/program_facts.h"

namespace dovetail {

// BodyWork: the straight-line code of one store, with its innermost unrolled and vectorized loops
// written out, counted in vector instructions of the target.
//
//   for i in 0..4 unrolled, w in 0..8 unrolled, o.0 in 0..2 unrolled, o.1 in 0..16 vectorized:
//     acc[w, o.0, o.1] += X[w, i] * W[i, o.0, o.1]          16 lanes:
//   64 multiply-adds into 16 accumulators, 32 loads of X (one element for all lanes), 8 of W
//
// A load that is invariant in the innermost real loop is hoisted out of it (`hoisted`) while
// registers last. Vectors that do not fit in the registers are spilled (`spills`).
struct BodyWork {
  double executions = 0;        // times that the body runs
  double lanes = 1;             // extent of the vectorized loop; 1: scalar code
  double vectors = 1;           // machine vectors that hold these lanes
  double unrolled = 1;          // copies of the statement, lanes aside
  double multiply_adds = 0;     // in instructions, as below unless stated
  double operations = 0;        // other arithmetic
  double guards = 0;            // bounds checks
  double broadcasts = 0;        // loads of one element for all lanes
  double vector_loads = 0;      // contiguous loads
  double gathers = 0;           // strided loads, one instruction per lane
  double hoisted = 0;           // loads before the innermost real loop
  double stores = 0;            // to memory: contiguous or of one element
  double scatters = 0;          // strided stores, one instruction per lane
  double accumulators = 1;      // independent vectors that are added to
  double register_tile = 0;     // vectors of the register tile that is stored to
  double live_registers = 0;    // register tile, waiting operands, and one more
  double spills = 0;            // spill loads and stores
  double inner_iterations = 1;  // innermost real loop around the body
};

BodyWork body_work(const ProgramFacts& facts, const StatementFacts& statement,
                   const Target& target);

// Position of the first of the statement's loops that is in the body; their number if none is.
size_t body_begin(const ProgramFacts& facts, const StatementFacts& statement);

// CostEstimate: seconds of a program by an analytic model, a roofline with several roofs (Williams,
// Waterman and Patterson, 2009; the levels of caches as in Ilic's cache-aware one):
//
//   per body       max(arithmetic / 2,  loads / 2,  stores / 1,  chain)  +  branches
//     arithmetic   multiply-adds and other operations, in vector instructions
//     loads        broadcasts, vectors, gathers by lane, half of the spills
//     chain        4 cycles · multiply-adds one accumulator waits for
//     branches     1 cycle an iteration of each serial or parallel loop, 8 each time one is left
//   seconds        max(Σ bodies,  bytes into L1 / 32,  bytes into L2 / 16,  bytes into L3 / 8)
//                  + a quarter of the sum of the others, / (parallel units · clock)
//
// in bytes a cycle of one core. The constants are those of a current CPU; they need not be right
// for a device, because the model only orders the candidates of one task. On GPUs a body is that of
// one work-item; up to 64 work-items of a group run at once on a compute unit, and work-groups run
// in waves.
//
// Cycles, summed over all bodies and all work-items, unless the name says otherwise.
struct CostEstimate {
  double arithmetic = 0, loads = 0, stores = 0, chain = 0, branches = 0;
  double compute = 0;                               // Σ bodies, branches included
  double l1_bytes = 0, l2_bytes = 0, l3_bytes = 0;  // loaded into each cache
  double l1 = 0, l2 = 0, l3 = 0;                    // cycles that these loads take
  double parallel_units = 1;                        // busy cores, or busy lanes of a GPU
  double seconds = 0;
};

// `bodies`: one for each of facts.statements, in order.
CostEstimate estimate_cost(const ProgramFacts& facts, std::span<const BodyWork> bodies,
                           const Target& target);

// CostEstimate::seconds alone, from the program; above 0.
double estimated_seconds(const Program& program, const Target& target);

// Bytes that move into a cache of a given size, by the loops' footprints:
//
//   a loop with a body that fits reuses data across iterations: it loads the footprint of all its
//   iterations once:                                                 total_bytes
//   a loop with a body that does not fit loads, in each iteration, what the loops inside load
//
//   gmm, m outside n outside k, a cache that holds a row of A and a column of B but not all of B:
//     n fits per iteration: for each m the row once and all of B    m · (bytes of B + …)
//
// This is the stack-distance argument of Ferrante, Sarkar and Thrash, "On Estimating and Enhancing
// Cache Effectiveness" (1991), for a cache with no conflicts. A program that fits as a whole loads
// nothing, because caches are hot when it is measured.
double cache_traffic_bytes(const ProgramFacts& facts, double cache_bytes);

std::vector<BodyWork> bodies_of(const ProgramFacts& facts, const Target& target);

// How the program's outer loops spread over the device.
struct Spread {
  double groups = 1;      // parallel iterations or work-groups around the heaviest statement
  double threads = 1;     // work-items per group
  double units = 1;       // threads of the CPU target, or compute units of the GPU
  double efficiency = 1;  // mean share of busy units, the last wave included
};
Spread spread_of(const ProgramFacts& facts, const Target& target);

}  // namespace dovetail
