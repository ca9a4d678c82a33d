// SPDX-License-Identifier: Apache-2.0
#pragma once

// effective_bytes: the share of a cache that a loop has to itself, by measurement.
//
//   read size    4   8  12  16  20  24  28  32  36 MiB       of a cache of 32 MiB
//   GB/s        70  70  69  68  66  45  33  31  30           it reads at 70, memory at 30
//                                ^ 20 MiB: above it, less than sqrt(70 x 30) = 46
//
// A processor reports its last cache as a whole; all cores share it, and guests of a virtual
// machine see all of it while neighbours fill it.

#include <cstdint>
#include <functional>

namespace dovetail {

struct CacheRates {
  int64_t capacity_bytes = 0;        // as the processor reports it
  double bytes_per_second = 0;       // read rate of arrays that certainly fit
  double next_bytes_per_second = 0;  // read rate of the next level
};

// The largest array, in eighths of the capacity up to one and a half times it, such that all arrays
// up to it are read nearer to this level's rate than to the next one's (by the geometric mean).
// `rate_of` measures the read rate of an array of `bytes`. The result is at least one eighth.
int64_t effective_bytes(const CacheRates& cache,
                        const std::function<double(int64_t bytes)>& rate_of);

}  // namespace dovetail
