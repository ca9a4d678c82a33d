// SPDX-License-Identifier: Apache-2.0
#pragma once

// OtherLine: a line of a kind that this version does not know. Nobody reads it, nothing counts it,
// and what rewrites a log keeps it:
//
//   {"kind":"power","campaign":1,"watts":[81,79],"crc":"..."}
//
// Only its campaign is known, so that it stays with its header.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

struct OtherLine {
  std::string kind;
  int64_t campaign = 1;
  std::string object;  // without its checksum
  friend bool operator==(const OtherLine&, const OtherLine&) = default;
};

// The value of an object's field `kind`; nothing when it has none, or one that is no text.
std::optional<std::string> kind_of(std::string_view object);

std::string print(const OtherLine& line);  // one line with its checksum, no newline
Result<OtherLine> parse_other(std::string_view object);

// The same line in a file where its campaign has another number.
OtherLine with_campaign(const OtherLine& line, int64_t campaign);

}  // namespace dovetail
