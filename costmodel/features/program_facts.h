// SPDX-License-Identifier: Apache-2.0
#pragma once

// ProgramFacts: what a program does, counted without running it: its loops with the bytes that they
// touch, and its stores with where and how far their accesses move. Features and the roofline model
// are read off it.
//
//   for m in 0..8                      loop 0   8 iterations, once       96 B an iteration, 544 B
//     for k in 0..4                    loop 1   4 iterations, 8 times
//       for n in 0..4 vectorized       loop 2   4 iterations, 32 times
//         Y[m, n] += A[m, k] * B[k, n]
//             statement 0  128 times, loops {0, 1, 2}, 1 multiply-add;
//             A moves by {4, 1, 0} elements, B by {0, 4, 1}, Y by {4, 0, 1}
//
// Kernels that run once, at build time, do not count. A clipped loop counts its mean iterations.

#include <vector>

#include "core/ir/program/program.h"
#include "costmodel/features/access_region.h"

namespace dovetail {

struct LoopFacts {
  const Loop* loop = nullptr;
  double iterations = 1;           // of one execution
  double executions = 1;           // how often it is entered
  double body_bytes = 0;           // cache lines that one iteration touches
  double total_bytes = 0;          // and all of them together
  double direct_bytes = 0;         // of one iteration, by statements that are in no loop inside
  std::vector<int> children = {};  // loops directly inside, in order
};

enum class StorageKind : uint8_t { buffer, registers, private_, local };

// A buffer or a tile.
struct StorageFacts {
  StorageKind kind = StorageKind::buffer;
  const Buffer* buffer = nullptr;  // kind buffer only
  double elements = 0;
  double touched_bytes = 0;  // cache lines, by the whole program
};

struct AccessFacts {
  int storage = 0;              // index into ProgramFacts::storages
  AccessRegion region;          // of one element: all loops open
  std::vector<double> strides;  // in elements of storage, by the statement's loops
};

struct StatementFacts {
  const Store* store = nullptr;
  std::vector<int> loops;  // around it, outermost first; indices into ProgramFacts::loops
  double executions = 1;
  double multiply_adds = 0;  // of one execution
  double operations = 0;     // other arithmetic of one execution
  double guards = 0;         // bounds that one execution tests
  AccessFacts target;
  std::vector<AccessFacts> loads;  // distinct
};

struct ProgramFacts {
  std::vector<LoopFacts> loops;
  std::vector<int> roots;  // outermost loops, in order
  std::vector<StatementFacts> statements;
  std::vector<StorageFacts> storages;  // the program's buffers first, in their order
  double touched_bytes = 0;            // cache lines of memory, by the whole program
  double barriers = 0;                 // executions of a barrier, by one work-item each
  int kernels = 0;                     // without those that run once

  const LoopFacts& loop(int id) const { return loops[static_cast<size_t>(id)]; }
  LoopFacts& loop(int id) { return loops[static_cast<size_t>(id)]; }
  const StorageFacts& storage(int id) const { return storages[static_cast<size_t>(id)]; }
  StorageFacts& storage(int id) { return storages[static_cast<size_t>(id)]; }
};

ProgramFacts facts_of(const Program& program);

// The statement with the most multiply-adds (without any: executions); -1 when there is none.
int heaviest_statement(const ProgramFacts& facts);

}  // namespace dovetail
