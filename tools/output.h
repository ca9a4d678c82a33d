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

// The last message of a verb that was cut off, and can go on:
//
//   dovetail: interrupted; everything measured is saved; confirming the best begins anew; continue
//   with:
//   dovetail tune …
//
// `what`: why it ended, and what is saved. `was_confirming`: the best, which is one sitting.
void tell_how_to_continue(const std::string& what, bool was_confirming, const std::string& command);

}  // namespace dovetail
