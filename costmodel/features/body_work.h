// SPDX-License-Identifier: Apache-2.0
#pragma once

// BodyWork: the straight-line code that a store becomes, with its innermost unrolled and vectorized
// loops written out, in vector instructions of the target.
//
//   for i in 0..4 unrolled, w in 0..8 unrolled, o.0 in 0..2 unrolled, o.1 in 0..16 vectorized:
//     acc[w, o.0, o.1] += X[w, i] * W[i, o.0, o.1]          16 lanes:
//   64 multiply-adds into 16 accumulators, 32 loads of X (one element for all lanes), 8 of W
//
// A load that the innermost real loop does not move is made before it (`hoisted`), where registers
// last. What does not fit in the registers is stored and loaded again (`spills`).

#include "core/ir/target.h"
#include "costmodel/features/program_facts.h"

namespace dovetail {

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

}  // namespace dovetail
