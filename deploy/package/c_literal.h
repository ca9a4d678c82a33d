// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts and lists as C source.
//
//   c_string_lines("a\"b", 60)        "a\"b"            one literal a line, which C joins
//   c_text_return(text)               a function's body that returns the text
//   c_rows({"{0, 64}", "{1, 0}"})     as many on a line as 100 columns hold
//
// C99 guarantees 4095 characters per string literal, and -pedantic enforces it: a longer text
// becomes an array of characters.

#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

std::string c_string_lines(std::string_view text, std::string_view indent);
std::string c_text_return(std::string_view text);

// "    a, b,\n    c,\n": items with commas, wrapped; `indent` is one blank short.
std::string c_rows(const std::vector<std::string>& items, std::string_view indent = "   ");

// Aligns trailing comments of consecutive lines in one column, as clang-format does; a macro
// without a comment does not end the group. Lines that are already long stay as they are.
std::string with_aligned_comments(std::string_view code);

}  // namespace dovetail
