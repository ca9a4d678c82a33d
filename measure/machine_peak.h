// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures the most that this machine can do: multiply-adds, and bytes per cache level.
//
//   ThreadPool pool({1});
//   measure_fma_gflops(pool)                          // 290: one Zen 5 core at 4.5 GHz
//   measure_bandwidth(pool, cache_sizes(target))      // L1 ..., L2 ..., L3 ..., DRAM ...
//
// The FMA peak is that of 24 independent chains of multiply-adds on registers at the widest vectors
// that the processor has (12 where there are 16 registers): enough to hide four cycles of latency
// on two units. Percentages are of it, and nothing that we measure may exceed it. It is the fastest
// of some milliseconds' worth of stretches: a neighbour can only make a stretch slower.

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/target.h"
#include "core/runtime/thread_pool.h"

namespace dovetail {

// GFLOP/s of all threads of the pool together.
double measure_fma_gflops(ThreadPool& pool);

struct LevelBandwidth {
  std::string level = {};            // L1, L2, L3, DRAM
  int64_t bytes = 0;                 // of the array, per thread
  double read_bytes_per_second = 0;  // all threads together
  double copy_bytes_per_second = 0;  // bytes read and bytes written, both counted
  int64_t capacity_bytes = 0;        // of the cache as the processor says; 0 of memory
};

// Arrays of half of each cache (the last one shared by all threads), and of four times the last
// one. The first `num_levels` of them: the last two take a second where the last cache is large.
std::vector<LevelBandwidth> measure_bandwidth(ThreadPool& pool, const Target& target,
                                              size_t num_levels = 4);

// Bytes read per second from an array of so many bytes a thread, all threads together.
double measure_read(ThreadPool& pool, int64_t bytes_per_thread);

// Bytes read and written per second by a loop that reads and writes so many bytes, all threads
// together: arrays of just that size, read and copied piece by piece, with ordinary stores or with
// stores past the caches, whichever is faster. What is written costs more than what is read, and
// arrays near the size of a cache are neither in it nor out of it, so that no level's figure is the
// roof of a pooling or a copy.
double measure_stream(ThreadPool& pool, int64_t read_bytes, int64_t written_bytes);

}  // namespace dovetail
