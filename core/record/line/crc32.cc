// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/crc32.h"

#include <zlib.h>

namespace dovetail {

uint32_t crc32(std::string_view bytes) {
  const auto* const first = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<uint32_t>(::crc32_z(0, first, bytes.size()));
}

}  // namespace dovetail
