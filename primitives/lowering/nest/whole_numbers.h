// SPDX-License-Identifier: Apache-2.0
//
// A number is of the type of what it meets, and passes drop what it met: where b is 4 only the
// number is left of the select, and half of 3 is 1 among integers.
//
//     ((0 <= b < 4) ? A[0] : 3) / 2          A of i32
//     ((0 <= b < 4) ? A[0] : index(3)) / 2   an index is an integer wherever it stands
//
// Why only branches of selects: operands of every other operation stay together.
#pragma once

#include "core/ir/value/value.h"
#include "primitives/lowering/nest/beyond_integers.h"

namespace dovetail {

// Numbers that are branches among integers, as indices. Infinite ones stay (beyond_integers.h).
Value with_whole_branches(const Value& value, const TypeOfLoad& type_of_load);

}  // namespace dovetail
