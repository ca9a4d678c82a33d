// SPDX-License-Identifier: Apache-2.0
//
// An element beyond a tensor may be infinite, which no integer is: values computed from it are made
// infinite where the element does not exist.
//
//     Y[i] max= real(X[i + j - 1] * 2)                   X of i32; what lies outside is -inf
//     Y[i] max= (0 <= i + j - 1 < 8) ? real(X[i + j - 1] * 2) : -inf
//
// Why not compute with the least integer instead: twice that wraps to 0, and 0 is more than the -2
// beside it. Why not in real numbers: the integers beside an infinity would be rounded, which are
// exact everywhere else.
#pragma once

#include <functional>

#include "core/ir/value/value.h"

namespace dovetail {

using TypeOfLoad = std::function<ComputedType(const Value& load)>;

// Rewrites a value so that no operation on integers has an infinite operand: infinities remain only
// in branches of selects, as whole elements or among real numbers.
Value with_infinite_integers(const Value& value, const TypeOfLoad& type_of_load);

}  // namespace dovetail
