// SPDX-License-Identifier: Apache-2.0
#include "core/base/crc32.h"

#include <array>
#include <cstddef>

namespace dovetail {
namespace {

constexpr size_t kSlices = 8;  // eight bytes a step: about 1 GB/s instead of 0.4
using Tables = std::array<std::array<uint32_t, 256>, kSlices>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) != 0u ? 0xedb88320u : 0u);
    tables[0][byte] = crc;
  }
  for (size_t slice = 1; slice < kSlices; ++slice) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t previous = tables[slice - 1][byte];
      tables[slice][byte] = (previous >> 8) ^ tables[0][previous & 0xffu];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

uint32_t byte_at(std::string_view bytes, size_t position) {
  return static_cast<unsigned char>(bytes[position]);
}

uint32_t eight_bytes(uint32_t crc, std::string_view bytes) {
  uint32_t result = 0;
  for (size_t i = 0; i < kSlices; ++i) {
    const uint32_t carried = i < 4 ? (crc >> (8 * i)) & 0xffu : 0u;
    result ^= kTables[kSlices - 1 - i][byte_at(bytes, i) ^ carried];
  }
  return result;
}

}  // namespace

uint32_t crc32(std::string_view bytes) {
  uint32_t crc = 0xffffffffu;
  for (; bytes.size() >= kSlices; bytes.remove_prefix(kSlices)) crc = eight_bytes(crc, bytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ byte_at(bytes, i)) & 0xffu];
  }
  return ~crc;
}

}  // namespace dovetail
