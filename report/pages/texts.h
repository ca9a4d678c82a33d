// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is not C++ in a report, from files beside this one: report/CMakeLists.txt makes the strings.

#include <string_view>

namespace dovetail {

// The look of every page, and the one thing it does: sort a table by the column clicked at. Without
// `<`, `&` and `]]>`: a page is XML, too.
extern const std::string_view kPageStyle, kPageScript;

// Draws the figures of a folder anew; what they are stands in place of its line `PLOTS = []`.
extern const std::string_view kRedrawScript;

}  // namespace dovetail
