// SPDX-License-Identifier: Apache-2.0
#pragma once

// A line of a log: one JSON object whose last field is its checksum.
//
//   {"trial":17,"status":"ok","crc":"3cf04423"}
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ the checksum is zlib's CRC-32 of these bytes: all before ,"crc"
//
// The checksum is eight lower-case hexadecimal digits, so that what follows the checked bytes has a
// fixed length and is found from the end of the line without parsing it. A line is checked before
// anything in it is believed: after a power cut, half a line can be JSON that makes sense.

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// `object` is a JSON object's text with at least one field; no newline is added.
std::string seal_line(std::string_view object);

// The object without its checksum, or why the line cannot be believed.
Result<std::string> open_line(std::string_view line);

}  // namespace dovetail
