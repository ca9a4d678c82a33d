// SPDX-License-Identifier: Apache-2.0
#pragma once

// CacheSteps: the steps before each timed run that bring the caches into a given state.
//
//   steps_to(Caches::network_memory, plan, Eviction::by_line)       of conv2d with X, W, Y
//       evict W      the constants go to memory
//       write Y      space that was in use a moment ago
//       write X      as a producer just did, so that what is small is in the nearest cache
//
//   steps_to(Caches::network_l3, plan, …)
//       read W, push_out, write Y, write X      the constants stay in the last cache alone
//
// Why a list and not a function that does it all: which buffer is where can be tested without a
// clock. Constants are evicted line by line where the processor can do that: it costs a hundredth
// of streaming twice the last cache through, and leaves no other dirty lines to be written back
// during the run.

#include <cstddef>
#include <vector>

#include "core/record/line/caches.h"
#include "measure/check/arena_plan.h"

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
  size_t place = 0;  // index in ArenaPlan::places; 0 for actions on all caches
  friend bool operator==(const CacheStep&, const CacheStep&) = default;
};

// The eviction that a program can do on this processor.
enum class Eviction { by_line, of_everything };
Eviction eviction_here();

std::vector<CacheStep> steps_to(Caches caches, const ArenaPlan& plan, Eviction eviction);

// Kernels over cache lines (core/runtime/thread_pool.h): lines `first` to `last` of buffers[0].
void evict_lines(void* const* buffers, int64_t first, int64_t last);  // where eviction is by_line
void read_lines(void* const* buffers, int64_t first, int64_t last);
void write_lines(void* const* buffers, int64_t first, int64_t last);

}  // namespace dovetail
