// SPDX-License-Identifier: Apache-2.0
#pragma once

// A cell of a CSV file that a person opens in a spreadsheet.
//
//   csv_cell("gmm:m=8,n=8")       "gmm:m=8,n=8"          quoted, because of the comma
//   csv_cell("say \"x\"")         "say ""x"""
//   csv_cell("=HYPERLINK(1)")     '=HYPERLINK(1)         a spreadsheet would compute it
//   csv_cell("-1.5")              -1.5                   a number stays one
//   csv_cell("a\x1b")             a\x1b, as six characters
//
// Texts of cells come from models, whose authors choose the names. A spreadsheet computes a cell
// that begins with = + - or @, whether it is in quotation marks or not; an apostrophe in front
// makes it text. Every CSV that is written for people takes its cells from here. Files that
// programs exchange with us (`dovetail plan -o`) give names back as they came.

#include <string>
#include <string_view>

namespace dovetail {

std::string csv_cell(std::string_view text);

}  // namespace dovetail
