// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads and writes whole files, with errors that name the file.
//
//   const std::string text = TRY(read_file("resnet.model"));
//   read_file("pipe")                         error: pipe is a pipe, expected a file
//   TRY(check_replaceable("report.html"));    // before the work
//   TRY(replace_file("report.html", page));   // a kill leaves the old page, or has written this

//
// Only plain files are read: a pipe may block forever, and a device may never end. Links are
// followed. Every file that a user names is opened by these functions.

#include <fstream>
#include <string>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/result.h"

namespace dovetail {

// `expected`: the error's words after "expected" when the path is a folder, a pipe or a device.
Result<std::string> read_file(const std::string& path, std::string_view expected = "a file");
// Open a file for reading in parts, as a descriptor or a stream at the file's beginning.
Result<Descriptor> open_plain_file(const std::string& path, std::string_view expected = "a file");
Result<std::ifstream> open_plain_stream(const std::string& path,
                                        std::string_view expected = "a file");
// "a folder", "a pipe", "a socket" or "a device"; empty for a plain or missing file.
std::string_view what_else_than_plain(const std::string& path);
Result<void> write_file(const std::string& path, std::string_view text);
// Writes PATH.part and renames it, so that neither a reader nor a kill sees a partial file. An
// existing path that is not a plain file (a device, a pipe, a link) is written in place; a pipe
// without a reader is an error.
Result<void> replace_file(const std::string& path, std::string_view text);
// Checks before hours of work that replace_file() will be able to write its result: returns the
// error that it would meet, as far as that can be known without the text.
Result<void> check_replaceable(const std::string& path);

}  // namespace dovetail
