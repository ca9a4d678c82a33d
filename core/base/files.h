// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole files, with errors that name the file.
//
//   const std::string text = TRY(read_file("resnet.model"));
//   read_file("pipe")                         error: pipe is a pipe, expected a file
//   TRY(check_replaceable("report.html"));    // before the work
//   TRY(replace_file("report.html", page));   // a kill leaves the old page, or has written this

//
// Only plain files are read: a pipe may never answer, and a device may never end. A link counts as
// what it leads to. Every file that a user names is opened by these functions.

#include <fstream>
#include <string>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/result.h"

namespace dovetail {

// `expected`: what the error says the path should be when it is a folder, a pipe or a device.
Result<std::string> read_file(const std::string& path, std::string_view expected = "a file");
// For reading in parts: as a descriptor, at the file's begin, or as a stream.
Result<Descriptor> open_plain_file(const std::string& path, std::string_view expected = "a file");
Result<std::ifstream> open_plain_stream(const std::string& path,
                                        std::string_view expected = "a file");
// "a folder", "a pipe", "a device"; empty of a plain file, and of what is not there.
std::string_view what_else_than_plain(const std::string& path);
Result<void> write_file(const std::string& path, std::string_view text);
// The same by way of PATH.part: a reader never sees half of it, and a kill leaves the file as it
// was, or whole. What is no plain file (a device, a pipe, a link) is written in its place; a pipe
// that nobody reads is an error.
Result<void> replace_file(const std::string& path, std::string_view text);
// The error that replace_file() would meet, as far as it can be known before there is a text: for
// whoever works for hours on it.
Result<void> check_replaceable(const std::string& path);

}  // namespace dovetail
