// SPDX-License-Identifier: Apache-2.0
//
// Divisors of an extent: the factors that a split may use, for errors that name them and for
// spaces that list them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/round_up.h"

namespace dovetail {

std::vector<int64_t> divisors(int64_t n);           // ascending, 1 and n included; n >= 1
int64_t largest_divisor(int64_t n, int64_t limit);  // at most `limit`; 1 when that is below 1
int64_t least_divisor(int64_t n, int64_t limit);    // at least `limit`; n when that is above n

// "factor 3 does not divide extent 64 of axis i; pad first or use 2, 4, 8, …"
Result<void> require_factor(const std::string& primitive, const std::string& what, int64_t extent,
                            int64_t factor);

}  // namespace dovetail
