// SPDX-License-Identifier: Apache-2.0
#pragma once

// These parts of a report are not C++ but files beside this one; report/CMakeLists.txt makes the
// strings.

#include <string_view>

namespace dovetail {

// kPageStyle is the look of every page, kPageScript the one thing that it does: it sorts a table by
// the column clicked at. They are without `<`, `&` and `]]>`, because a page is XML, too.
extern const std::string_view kPageStyle, kPageScript;

// The script draws the figures of a folder anew; its line `PLOTS = []` is replaced by their data.
extern const std::string_view kRedrawScript;

}  // namespace dovetail
