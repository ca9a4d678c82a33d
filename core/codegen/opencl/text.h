// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every generated OpenCL C text is made of these: identifiers, literals, index expressions, lines.
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

// Names that are words of OpenCL C, or functions that generated code calls, are never given out.
class Identifiers {
 public:
  std::string unique(std::string_view wanted);
  std::string numbered(std::string_view base);  // base_0, base_1, …

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, int, std::less<>> next_number_;
};

std::string float_literal(double value);
// A whole number of 64 bits, `16777217L`; an infinity is beyond all of them.
std::string whole_literal(double value);
const char* element_text(ElementType type);  // of a type that is stored: "uchar"

// The function that gives the larger (smaller) of two numbers, and NaN where one is: `maximum_4`.
std::string extremum_function(bool is_max, int width);

// float, float2, …, float16
std::string float_type(int width);
// `(float4)(x)`
std::string vector_literal(int width, std::string_view elements);

using VariableNames = std::map<std::string, std::string, std::less<>>;  // loop variable -> C name

struct IndexText {
  const VariableNames& names;
  const Ranges& ranges;  // decides between C's truncating division and floor_div()
};
std::string index_text(const IndexExpr& e, const IndexText& context);
// The same, in parentheses unless it is a single name or number.
std::string index_operand(const IndexExpr& e, const IndexText& context);

// Functions that texts of this folder may call; each is put in front of a text that mentions it.
std::string prelude_for(std::string_view text);

}  // namespace dovetail::opencl
