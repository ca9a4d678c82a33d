// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gzip: texts in the format of .gz files, which every tool can open.
//
//   gunzip(gzip("…")) == "…"
//
// Same text, same bytes: no time stamp, no name. Spaces on disk are mostly repetition; a general
// compressor makes 20 MB of them 1 MB, and a format of our own would have no other reader.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

std::string gzip(std::string_view text);
// An error: no gzip data, damaged, cut off, or more than a gigabyte of text.
Result<std::string> gunzip(std::string_view bytes);

}  // namespace dovetail
