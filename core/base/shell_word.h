// SPDX-License-Identifier: Apache-2.0
#pragma once

// A text as the shell reads it as one word, for commands that are printed to be pasted.
//
//   shell_word("--trials")      --trials
//   shell_word("it's 1")        'it'\''s 1'

#include <string>

namespace dovetail {

std::string shell_word(const std::string& text);

}  // namespace dovetail
