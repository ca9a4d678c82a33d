// SPDX-License-Identifier: Apache-2.0
#pragma once

// Building blocks of generated OpenCL C: identifiers, literals, index expressions, lines.
//
//   Identifiers names;  names.unique("X.pad") == "X_pad";  names.unique("X_pad") == "X_pad_1"
//   float_literal(0.5) == "0.5f"
//   4*h.0 + (kh - 1) div 3   ->   4*h_0 + floor_div(kh - 1, 3)

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/ir/index/index_expression.h"
#include "core/ir/value/element_type.h"

namespace dovetail::opencl {

// Hands out unique names, never reserved words of OpenCL C or functions that generated code calls.
class Identifiers {
 public:
  std::string unique(std::string_view wanted);
  std::string numbered(std::string_view base);  // base_0, base_1, …

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_number_;
};

std::string float_literal(double value);
// A 64-bit integer, `16777217L`; values beyond, such as infinity, saturate.
std::string whole_literal(double value);
const char* element_text(ElementType type);  // stored types only: "uchar"

// The function that returns the larger (smaller) of two numbers, or NaN if one is: `maximum_4`.
std::string extremum_function(bool is_max, int width);

// float, float2, …, float16
std::string float_type(int width);
// `(float4)(x)`
std::string vector_literal(int width, std::string_view elements);

using VariableNames = std::map<std::string, std::string, std::less<>>;  // loop variable -> C name

struct IndexText {
  const VariableNames& names;
  const Ranges& ranges;  // choose between C's truncating division and floor_div()
};
std::string index_text(const IndexExpr& e, const IndexText& context);
// The same, parenthesized unless it is a single name or number.
std::string index_operand(const IndexExpr& e, const IndexText& context);

// The definitions of the helper functions that a text mentions, to be prepended to it.
std::string prelude_for(std::string_view text);

}  // namespace dovetail::opencl
