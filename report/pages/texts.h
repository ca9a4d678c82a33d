// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts of a report that are not C++ but files beside this one; report/CMakeLists.txt turns them
// into strings.

#include <string_view>

namespace dovetail {

// kPageStyle is the style sheet of every page; kPageScript sorts a table by the column clicked at.
// Neither has `<`, `&` or `]]>`, because a page is XML, too.
extern const std::string_view kPageStyle, kPageScript;

}  // namespace dovetail
