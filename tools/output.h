// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results of a verb on stdout, whatever names are in them.
//
//   put(json ? json_text(rows) : table_text(rows));
//
// Every table, listing and JSON object goes this way: what would steer a terminal, because a model
// has it in a name, is written as escapes (core/base/printable.h). JSON is free of it already.

#include <string>

namespace dovetail {

void put(const std::string& text);

// A message of several lines on stderr, such as commands that may come next. What is of one line
// is a listener's note.
void tell(const std::string& lines);

}  // namespace dovetail
