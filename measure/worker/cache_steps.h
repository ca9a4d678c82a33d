// SPDX-License-Identifier: Apache-2.0
#pragma once

// CacheSteps: what brings the operands of a program to where a state of the caches has them, done
// before each timed run.
//
//   steps_to(Caches::network_memory, plan, Eviction::by_line)       of conv2d with X, W, Y
//       evict W      the constants go to memory
//       write Y      space that was in use a moment ago
//       write X      as a producer just did, so that what is small is in the nearest cache
//
//   steps_to(Caches::network_l3, plan, …)
//       read W, push_out, write Y, write X      the constants stay in the last cache alone
//
// A list and not a function that does it all, so that which buffer is where can be tested without a
// clock. Constants leave the caches line by line where the processor can do that: it costs a
// hundredth of streaming twice the last cache through, and leaves no foreign lines to be written
// back during the run.

#include <cstddef>
#include <vector>

#include "core/record/line/caches.h"
#include "measure/arena_plan.h"

namespace dovetail {

enum class CacheAction {
  evict,      // a buffer out of every cache
  evict_all,  // everything out of every cache
  read,       // a buffer
  push_out,   // everything out of the caches that a core has to itself
  write,      // a buffer, its own bytes, from its first to its last
};

struct CacheStep {
  CacheAction action = CacheAction::read;
  size_t place = 0;  // of ArenaPlan::places; 0 where the action is of everything
  friend bool operator==(const CacheStep&, const CacheStep&) = default;
};

// What the processor can do from a program.
enum class Eviction { by_line, of_everything };
Eviction eviction_here();

std::vector<CacheStep> steps_to(Caches caches, const ArenaPlan& plan, Eviction eviction);

// Kernels over cache lines (core/runtime/thread_pool.h): lines `first` to `last` of buffers[0].
void evict_lines(void* const* buffers, int64_t first, int64_t last);  // where eviction is by_line
void read_lines(void* const* buffers, int64_t first, int64_t last);
void write_lines(void* const* buffers, int64_t first, int64_t last);

}  // namespace dovetail
