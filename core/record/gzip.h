// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gzip: text in the format of .gz files, which every tool can open, and files that may or may not
// be compressed.
//
//   gunzip(gzip("…")) == "…"
//   const auto text = TRY(open_text("tune.jsonl.gz"));    or "tune.jsonl": a reader need not know
//   std::getline(*text, line);
//
// Deterministic: no time stamp and no name are stored. Logs and spaces are mostly repetition: 20 MB
// compress to 1 MB, and a private format would have no other reader. Compressed files are
// recognized by their first bytes, not their names, so that a renamed file still reads.

#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

enum class GzipEffort { least, most };  // stored files are worth `most`
std::string gzip(std::string_view text, GzipEffort effort = GzipEffort::most);
// Error: no gzip data, damaged, truncated, or more than a gigabyte of text.
Result<std::string> gunzip(std::string_view bytes);

// The whole text of a file. The error names the file and, for a folder, the expected kind of file.
Result<std::string> read_text(const std::string& path, std::string_view expected = "a file");
// Plain files are streamed, compressed ones unpacked at once.
Result<std::unique_ptr<std::istream>> open_text(const std::string& path);

bool is_compressed(const std::string& path);  // false, too, for unreadable files

// Replaces the file atomically, compressed where its name ends with .gz.
Result<void> replace_text(const std::string& path, std::string_view text);

}  // namespace dovetail
