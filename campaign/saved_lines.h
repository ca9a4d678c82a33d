// SPDX-License-Identifier: Apache-2.0
#pragma once

// Saved lines: a file of JSON objects, a line each, that grows as hours of work go on, so that the
// same command goes on where it was killed.
//
//   TRY(open_saved_lines("rows.jsonl", "a row of bench --save", take_line));
//   TRY(add_saved_line("rows.jsonl", R"({"asked":"…","times":{}})"));     on the disk afterwards
//
// Each object begins with the field `asked`, which says what was done: what is asked for later is
// the same where that text is.

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// Makes the file where it is not there, and drops what a killed program left of a line, so that the
// next one begins where one should. `take` is given each line, and says whether it is `what`. The
// error says that the file is another one, or cannot be written.
Result<void> open_saved_lines(const std::string& path, std::string_view what,
                              const std::function<bool(std::string_view)>& take);

Result<void> add_saved_line(const std::string& path, std::string_view line);

}  // namespace dovetail
