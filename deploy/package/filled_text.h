// SPDX-License-Identifier: Apache-2.0
#pragma once

// filled: a text with words in place of their names.
//
//   filled("int @name@_abi(void);\n", {{"name", "pose"}})         int pose_abi(void);
//
// A line that is one name alone is replaced whole, its end included, so that what is there in some
// packages only leaves no empty line behind:
//
//   "#define A 1\n@more@\n#define B 2\n"      more = ""               two lines
//                                             more = "#define C 3\n"  three
//
// Why not fmt: these texts are C, CMake and shell, full of braces, and they are read more often
// than they are written; `@` stands in none of them.

#include <map>
#include <string>
#include <string_view>

namespace dovetail {

using TextWords = std::map<std::string, std::string, std::less<>>;

// Each name must be among the words; words that no name asks for do no harm.
std::string filled(std::string_view text, const TextWords& words);

}  // namespace dovetail
