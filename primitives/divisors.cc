// SPDX-License-Identifier: Apache-2.0
#include "primitives/divisors.h"
#include "primitives/refuse.h"

namespace dovetail {

std::vector<int64_t> divisors(int64_t n) {
  std::vector<int64_t> low, high;
  for (int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    low.push_back(d);
    if (d * d != n) high.insert(high.begin(), n / d);
  }
  low.insert(low.end(), high.begin(), high.end());
  return low;
}

int64_t largest_divisor(int64_t n, int64_t limit) {
  int64_t best = 1;
  for (const int64_t d : divisors(n))
    if (d <= limit) best = d;
  return best;
}

int64_t least_divisor(int64_t n, int64_t limit) {
  for (const int64_t d : divisors(n))
    if (d >= limit) return d;
  return n;
}

Result<void> require_factor(const std::string& primitive, const std::string& what, int64_t extent,
                            int64_t factor) {
  if (factor < 2) return refuse(primitive, "factor {} of {}, expected at least 2", factor, what);
  if (extent % factor == 0) return {};
  std::string usable;
  for (int64_t d : divisors(extent))
    if (d > 1 && usable.size() < 40) usable += (usable.empty() ? "" : ", ") + std::to_string(d);
  return refuse(primitive, "factor {} does not divide extent {} of {}; pad first{}", factor, extent,
                what, usable.empty() ? "" : " or use " + usable);
}

}  // namespace dovetail
