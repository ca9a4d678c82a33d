// SPDX-License-Identifier: Apache-2.0
#pragma once

// Saved lines: an append-only file of JSON objects, one per line, that lets the same command resume
// hours of work after it was killed.
//
//   TRY(open_saved_lines("rows.jsonl", "a row of bench --save", take_line));
//   TRY(add_saved_line("rows.jsonl", R"({"asked":"…","times":{}})"));     on the disk afterwards
//
// Each object begins with the field `asked`, the key of the work done: a request with the same text
// is the same work.

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// Creates the file if missing, and drops a partial last line that a killed program left. Calls
// `take` with each line, which returns false if the line is not `what`. Fails if the file is of
// another kind or cannot be written.
Result<void> open_saved_lines(const std::string& path, std::string_view what,
                              const std::function<bool(std::string_view)>& take);

Result<void> add_saved_line(const std::string& path, std::string_view line);

}  // namespace dovetail
