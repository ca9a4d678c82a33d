// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole files, with errors that name the file.
//
//   const std::string text = TRY(read_file("resnet.model"));
//   TRY(check_replaceable("report.html"));    // before the work
//   TRY(replace_file("report.html", page));   // a kill leaves the old page, or has written this

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// `expected`: what the error says the path should be when it is a folder.
Result<std::string> read_file(const std::string& path, std::string_view expected = "a file");
Result<void> write_file(const std::string& path, std::string_view text);
// The same by way of PATH.part: a reader never sees half of it, and a kill leaves the file as it
// was, or whole. What is no plain file (a device, a pipe, a link) is written in its place.
Result<void> replace_file(const std::string& path, std::string_view text);
// The error that replace_file() would meet, as far as it can be known before there is a text: for
// whoever works for hours on it.
Result<void> check_replaceable(const std::string& path);

}  // namespace dovetail
