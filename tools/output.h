// SPDX-License-Identifier: Apache-2.0
#pragma once

// Prints the results of a verb to stdout, whatever names are in them.
//
//   put(json ? json_text(rows) : table_text(rows));
//
// Every table, listing and JSON object goes through put(), which escapes what would steer a
// terminal, such as names in a model (core/base/printable.h). JSON has been escaped already.

#include <string>

namespace dovetail {

void put(const std::string& text);

// Prints a message of several lines to stderr, such as commands to run next. Messages of one line
// are a listener's notes.
void tell(const std::string& lines);

}  // namespace dovetail
