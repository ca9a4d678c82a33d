// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on integers and ranges, for index expressions and bounds.
#pragma once

#include <cstdint>
#include <string>

#include "core/ir/index/index_expression.h"

namespace dovetail {

// floor(a / b) and ceil(a / b); b > 0.
inline int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
inline int64_t ceil_quotient(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// total += coefficient · range; false when the result exceeds 63 bits.
bool add_scaled(Range& total, int64_t coefficient, const Range& range);

// The range of `atom`, a quotient or a remainder, whose dividend has the range `inner`.
Range divided_range(const IndexAtom& atom, const Range& inner);

// The only variable of a term, if it has at most 64 values, which can be enumerated; else empty.
std::string short_variable(const IndexTerm& term, const Ranges& ranges);

}  // namespace dovetail
