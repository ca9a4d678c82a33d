// SPDX-License-Identifier: Apache-2.0
#pragma once

// A line of a log: one JSON object whose last field is its checksum.
//
//   {"trial":17,"status":"ok","crc":"3cf04423"}
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ the checksum is zlib's CRC-32 of these bytes: all before ,"crc"
//
// The checksum is eight lower-case hexadecimal digits, so that the text after the checked bytes has
// a fixed length and is found from the end of the line without parsing. A line is verified before
// it is parsed: after a power cut, half a line can be valid JSON.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// CRC-32, the one of zlib, gzip and PNG (reflected polynomial 0xedb88320).
//
//   crc32("123456789") == 0xcbf43926
//
// Every line of a log ends with this checksum. Why this CRC: common tools can check it, such as
// python3's zlib.crc32 or the crc32 command.
uint32_t crc32(std::string_view bytes);

// `object` is a JSON object's text with at least one field; no newline is added.
std::string seal_line(std::string_view object);

// The object without its checksum, or why the line is invalid.
Result<std::string> open_line(std::string_view line);

// migrate: converts a line of an older log to this version's schema.
//
//   migrate(line_of_schema_2, 2)     // the line itself: 2 is this version's
//   migrate(line_of_schema_1, 1)     // with "caches":"cold" where it said "cold":true
//   migrate(line_of_schema_7, 7)     // error: schema 7 is newer than this program's 2; ...
//
// A line has the schema of the header above it. When a field changes its name or meaning, the
// schema is incremented and kMigrations gets one more entry: readers of later versions apply the
// steps in order, and no other code handles older logs. (So `tune` does not append to a file of an
// older schema before `log migrate` rewrote it.) An added field needs no new schema: it is
// optional, and older programs keep it as an unknown field.
inline constexpr int kSchema = 2;

// `object` is a line's JSON object without its checksum.
Result<std::string> migrate(std::string object, int schema);

}  // namespace dovetail
