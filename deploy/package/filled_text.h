// SPDX-License-Identifier: Apache-2.0
#pragma once

// filled: replaces the @names@ in a text by words.
//
//   filled("int @name@_abi(void);\n", {{"name", "pose"}})         int pose_abi(void);
//
// A line that is only a name is replaced with its line end, so that an optional part leaves no
// empty line behind:
//
//   "#define A 1\n@more@\n#define B 2\n"      more = ""               two lines
//                                             more = "#define C 3\n"  three
//
// Why not fmt: these texts are C, CMake and shell, full of braces, and are read more often than
// they are written; none of them contains `@`.

#include <map>
#include <string>
#include <string_view>

namespace dovetail {

using TextWords = std::map<std::string, std::string, std::less<>>;

// Each name must be among the words; unused words are ignored.
std::string filled(std::string_view text, const TextWords& words);

}  // namespace dovetail
