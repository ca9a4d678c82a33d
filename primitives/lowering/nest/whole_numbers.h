// SPDX-License-Identifier: Apache-2.0
//
// A number has the type of its context, which passes may drop: where b is 4 only the number is left
// of the select, and as an integer 3 / 2 is 1.
//
//     ((0 <= b < 4) ? A[0] : 3) / 2          A of i32
//     ((0 <= b < 4) ? A[0] : index(3)) / 2   an index is an integer wherever it stands
//
// Why only branches of selects: operands of all other operations stay together.
#pragma once

#include "core/ir/value/value.h"
#include "primitives/lowering/nest/beyond_integers.h"

namespace dovetail {

// Replaces finite numbers in branches of integer selects by indices (infinite: beyond_integers.h).
Value with_whole_branches(const Value& value, const TypeOfLoad& type_of_load);

}  // namespace dovetail
