// SPDX-License-Identifier: Apache-2.0
#pragma once

// ProgramFacts: a static analysis of a program: its loops with their footprints in bytes, and its
// stores with the regions and strides of their accesses. Features and the roofline model are
// computed from it.
//
//   for m in 0..8                      loop 0   8 iterations, once       96 B an iteration, 544 B
//     for k in 0..4                    loop 1   4 iterations, 8 times
//       for n in 0..4 vectorized       loop 2   4 iterations, 32 times
//         Y[m, n] += A[m, k] * B[k, n]
//             statement 0  128 times, loops {0, 1, 2}, 1 multiply-add;
//             A moves by {4, 1, 0} elements, B by {0, 4, 1}, Y by {4, 0, 1}
//
// Kernels that run once, at build time, are skipped. A loop with bounds counts its mean iterations.

#include <vector>

#include "core/ir/program/program.h"
#include "costmodel/features/access_region.h"

namespace dovetail {

struct LoopFacts {
  const Loop* loop = nullptr;
  double iterations = 1;           // per execution
  double executions = 1;           // times that the loop is entered
  double body_bytes = 0;           // cache lines of one iteration
  double total_bytes = 0;          // cache lines of all iterations of one execution
  double direct_bytes = 0;         // cache lines of one iteration's statements outside inner loops
  std::vector<int> children = {};  // loops directly inside, in order
};

enum class StorageKind : uint8_t { buffer, registers, private_, local };

// A buffer or a tile.
struct StorageFacts {
  StorageKind kind = StorageKind::buffer;
  const Buffer* buffer = nullptr;  // kind buffer only
  double elements = 0;
  double element_bytes = 4;
  double touched_bytes = 0;  // cache lines that the whole program touches
};

struct AccessFacts {
  int storage = 0;              // index into ProgramFacts::storages
  AccessRegion region;          // a single element: all loops open
  std::vector<double> strides;  // in elements of storage, one for each loop of the statement
};

struct StatementFacts {
  const Store* store = nullptr;
  std::vector<int> loops;  // enclosing loops, outermost first; indices into ProgramFacts::loops
  double executions = 1;
  double multiply_adds = 0;  // per execution
  double operations = 0;     // other arithmetic, per execution
  double guards = 0;         // bounds checks, per execution
  AccessFacts target;
  std::vector<AccessFacts> loads;  // without duplicates
};

struct ProgramFacts {
  std::vector<LoopFacts> loops;
  std::vector<int> roots;  // outermost loops, in order
  std::vector<StatementFacts> statements;
  std::vector<StorageFacts> storages;  // the program's buffers first, in their order
  double touched_bytes = 0;            // cache lines of memory that the program touches
  double barriers = 0;                 // executions of barriers, summed over work-items
  int kernels = 0;                     // kernels that run at build time left out

  const LoopFacts& loop(int id) const { return loops[static_cast<size_t>(id)]; }
  LoopFacts& loop(int id) { return loops[static_cast<size_t>(id)]; }
  const StorageFacts& storage(int id) const { return storages[static_cast<size_t>(id)]; }
  StorageFacts& storage(int id) { return storages[static_cast<size_t>(id)]; }
};

ProgramFacts facts_of(const Program& program);

// The statement with the most multiply-adds (ties: the most executions); -1: no statements.
int heaviest_statement(const ProgramFacts& facts);

}  // namespace dovetail
