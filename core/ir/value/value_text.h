// SPDX-License-Identifier: Apache-2.0
//
// The text format of values, printed by print(Value) and read by parse_value.
//
//     value    := sum | '(' bounds ')' '?' sum ':' value
//     sum      := product (('+' | '-') product)*       product := factor (('*' | '/') factor)*
//     bounds   := integer '<=' INDEX '<' integer ('and' …)*
//     factor   := number | name indices | '@' | 'read' '(' integer ')' | 'index' '(' INDEX ')'
//               | word '(' value, … ')' | '(' value ')'
//
// The words: min max pow less less_equal equal, exp tanh erf log sqrt rsqrt floor abs sin cos atan,
// choose(condition, then, otherwise), and the casts real integer boolean f16 i32 i16 i8 u32 u16 u8.
// Comparisons are words, so that `(0 <= …` always begins bounds.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/lexer.h"
#include "core/ir/value/value.h"

namespace dovetail {

Result<Value> parse_value(Cursor& cursor);
Result<std::vector<Bound>> parse_bounds(Cursor& cursor);
Result<Reducer> parse_assignment(Cursor& cursor);            // `=`, `+=`, `*=`, `max=` or `min=`
std::string print_bounds(const std::vector<Bound>& bounds);  // `0 <= h - 1 < 56 and …`

inline constexpr std::array<std::string_view, 5> kReducerNames = {"none", "sum", "max", "min",
                                                                  "prod"};

// The name of an operation in the text; `+`, `-`, `*` and `/` are infix.
std::string_view name_of(BinaryOp op);
std::string_view name_of(UnaryOp op);
std::optional<BinaryOp> binary_op_named(std::string_view name);  // words only
std::optional<UnaryOp> unary_op_named(std::string_view name);
// Casts: real, integer, boolean, and the narrower types by their own names.
std::string_view cast_name(ElementType type);
std::optional<ElementType> cast_named(std::string_view name);

}  // namespace dovetail
