// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures this machine's peaks: multiply-adds, and bytes per cache level.
//
//   ThreadPool pool({1});
//   measure_fma_gflops(pool)                          // 290: one Zen 5 core at 4.5 GHz
//   measure_bandwidth(pool, cache_sizes(target))      // L1 ..., L2 ..., L3 ..., DRAM ...
//
// The FMA peak is that of 24 independent chains of multiply-adds on registers with the processor's
// widest vectors (12 where there are 16 registers): enough to hide four cycles of latency on two
// units. Percentages refer to it, and no measurement may exceed it. It is the fastest of several
// stretches of some milliseconds: a neighbour can only make a stretch slower.

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
  int64_t bytes = 0;                 // array size per thread
  double read_bytes_per_second = 0;  // all threads together
  double copy_bytes_per_second = 0;  // bytes read and bytes written, both counted
  int64_t capacity_bytes = 0;        // size of the cache by the processor; 0 for DRAM
};

// Arrays of half of each cache (of the shared last one, at most 8 times L2), and of four times the
// last one; the first `num_levels` of them. The last two take a second where L3 is large.
std::vector<LevelBandwidth> measure_bandwidth(ThreadPool& pool, const Target& target,
                                              size_t num_levels = 4);

// Bytes read per second from an array of this size per thread, all threads together.
double measure_read(ThreadPool& pool, int64_t bytes_per_thread);

// The most bytes read and written per second by anything with this traffic, all threads together:
// for arrays of exactly that size, read and copied piece by piece, with ordinary or non-temporal
// stores, whichever is faster. Writing costs more than reading, and arrays near the size of a cache
// are partly in it, so that no level's bandwidth is the roof of a pooling or a copy. What fits the
// threads' L1 takes as long as its loads or its stores, at the rate of half of L1: the call of a
// loop over a few hundred bytes takes longer than their move, and is no limit to it.
double measure_stream(ThreadPool& pool, const Target& target, int64_t read_bytes,
                      int64_t written_bytes);

// Bytes per second of all threads together, by long loops over half of L1 that only load or store.
struct L1Rates {
  double loaded = 0;
  double stored = 0;
};
L1Rates measure_l1_rates(ThreadPool& pool, const Target& target);

// The rate of traffic that fits L1. A processor loads while it stores: the slower of both decides.
//   stream_in_l1({.loaded = 200e9, .stored = 100e9}, 64, 64)   // 200e9: as long as its stores
double stream_in_l1(const L1Rates& rates, int64_t read_bytes, int64_t written_bytes);

}  // namespace dovetail
