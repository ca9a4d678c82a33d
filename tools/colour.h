// SPDX-License-Identifier: Apache-2.0
#pragma once

// Colours, where a person reads: on a terminal, and not where NO_COLOR is set to anything
// (no-color.org) or the terminal is dumb. Pipes and files get plain text.
//
//   fputs(in_red("dovetail:", stderr).c_str(), stderr)

#include <cstdio>
#include <string>
#include <string_view>

namespace dovetail {

bool wants_colour(std::FILE* stream);
// Returns the text unchanged where `stream` wants no colour.
std::string in_red(std::string_view text, std::FILE* stream);

}  // namespace dovetail
