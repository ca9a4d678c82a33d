// SPDX-License-Identifier: Apache-2.0
#pragma once

// effective_bytes: how much of a cache a loop has to itself, measured and not read.
//
//   read size    4   8  12  16  20  24  28  32  36 MiB       of a cache of 32 MiB
//   GB/s        70  70  69  68  66  45  33  31  30           it reads at 70, memory at 30
//                                ^ 20 MiB: above it, less than sqrt(70 x 30) = 46
//
// What a processor says of its last cache is what all cores share, and guests of a virtual machine
// see all of it while neighbours fill it.

#include <cstdint>
#include <functional>

namespace dovetail {

struct CacheRates {
  int64_t capacity_bytes = 0;        // as the processor says
  double bytes_per_second = 0;       // of arrays that it holds for certain
  double next_bytes_per_second = 0;  // of the level after it
};

// The largest array, by eighths of the capacity up to one and a half of it, up to which all arrays
// are read nearer to this level's rate than to the next one's (by the geometric mean). `rate_of` is
// asked for arrays of so many bytes. An eighth is the least that it says.
int64_t effective_bytes(const CacheRates& cache,
                        const std::function<double(int64_t bytes)>& rate_of);

}  // namespace dovetail
