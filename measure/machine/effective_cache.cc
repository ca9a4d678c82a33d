// SPDX-License-Identifier: Apache-2.0
#include "measure/machine/effective_cache.h"

#include <cmath>

namespace dovetail {

int64_t effective_bytes(const CacheRates& cache,
                        const std::function<double(int64_t bytes)>& rate_of) {
  constexpr int64_t kParts = 8, kMostParts = 12;
  const double least_rate = std::sqrt(cache.bytes_per_second * cache.next_bytes_per_second);
  int64_t parts = 1;
  while (parts < kMostParts && rate_of(cache.capacity_bytes * (parts + 1) / kParts) >= least_rate)
    ++parts;
  return cache.capacity_bytes * parts / kParts;
}

}  // namespace dovetail
