// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gzip: texts in the format of .gz files, which every tool can open, and files that may be such.
//
//   gunzip(gzip("…")) == "…"
//   const auto text = TRY(open_text("tune.jsonl.gz"));    or "tune.jsonl": a reader need not know
//   std::getline(*text, line);
//
// Same text, same bytes: no time stamp, no name. Logs and spaces are mostly repetition; a general
// compressor makes 20 MB of them 1 MB, and a format of our own would have no other reader. By their
// bytes and not by their names: a file that was renamed reads all the same.

#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

enum class GzipEffort { least, most };  // what is kept on a disk is worth the most
std::string gzip(std::string_view text, GzipEffort effort = GzipEffort::most);
// An error: no gzip data, damaged, cut off, or more than a gigabyte of text.
Result<std::string> gunzip(std::string_view bytes);

// The text of a file, whole. An error names the file, and where it is a folder what was expected.
Result<std::string> read_text(const std::string& path, std::string_view expected = "a file");
// A plain file is read as it goes, a compressed one unpacked at once.
Result<std::unique_ptr<std::istream>> open_text(const std::string& path);

bool is_compressed(const std::string& path);  // false, too, of what cannot be read

// Writes the file whole or not at all, compressed where its name ends with .gz.
Result<void> replace_text(const std::string& path, std::string_view text);

}  // namespace dovetail
