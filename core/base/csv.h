// SPDX-License-Identifier: Apache-2.0
#pragma once

// csv_cell: quotes and escapes a cell of a CSV file that a person opens in a spreadsheet.
//
//   csv_cell("gmm:m=8,n=8")       "gmm:m=8,n=8"          quoted, because of the comma
//   csv_cell("say \"x\"")         "say ""x"""
//   csv_cell("=HYPERLINK(1)")     '=HYPERLINK(1)         a spreadsheet would compute it
//   csv_cell("-1.5")              -1.5                   a number stays one
//   csv_cell("a\x1b")             a\x1b, as six characters
//
// The texts come from models, whose authors choose the names (CSV injection). A spreadsheet
// computes a cell that begins with = + - or @, quoted or not; a leading apostrophe makes it text.
// Every CSV written for people takes its cells from here. Files for programs (`dovetail plan -o`)
// keep names as they are in the model.

#include <string>
#include <string_view>

namespace dovetail {

std::string csv_cell(std::string_view text);

}  // namespace dovetail
