// SPDX-License-Identifier: Apache-2.0
//
// Integers and ranges of them: what index expressions and bounds are computed with.
#pragma once

#include <cstdint>
#include <string>

#include "core/ir/index/index_expression.h"

namespace dovetail {

// floor(a / b) and ceil(a / b); b > 0.
inline int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
inline int64_t ceil_quotient(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// total += coefficient · range; false when 63 bits do not hold it.
bool add_scaled(Range& total, int64_t coefficient, const Range& range);

// The range of `atom`, a quotient or a remainder, follows from that of what is inside it.
Range divided_range(const IndexAtom& atom, const Range& inner);

// The only variable of a term, when it takes so few values that all can be looked at; else empty.
std::string short_variable(const IndexTerm& term, const Ranges& ranges);

}  // namespace dovetail
