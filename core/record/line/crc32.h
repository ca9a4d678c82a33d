// SPDX-License-Identifier: Apache-2.0
#pragma once

// CRC-32, the one of zlib, gzip and PNG (reflected polynomial 0xedb88320).
//
//   crc32("123456789") == 0xcbf43926
//
// Every line of a log ends with its checksum. This CRC and no other, because a reader of a log can
// check it with what is at hand: python3's zlib.crc32, or the crc32 command.

#include <zlib.h>

#include <cstdint>
#include <string_view>

namespace dovetail {

inline uint32_t crc32(std::string_view bytes) {
  const auto* const first = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<uint32_t>(::crc32_z(0, first, bytes.size()));
}

}  // namespace dovetail
