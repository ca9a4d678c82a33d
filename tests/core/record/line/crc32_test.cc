// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/log_line.h"

#include <gtest/gtest.h>

#include <string>

namespace dovetail {
namespace {

// Bit by bit, from the polynomial: no tables, no eight bytes at once.
uint32_t slow_crc32(std::string_view bytes) {
  uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1u) != 0u ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

TEST(Crc32, HasThePublishedCheckValues) {
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("a"), 0xe8b7be43u);
  EXPECT_EQ(crc32("123456789"), 0xcbf43926u);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414fa339u);
}

TEST(Crc32, AgreesWithTheDefinitionAtEveryLengthAndByte) {
  std::string bytes;
  for (int i = 0; i < 700; ++i) {
    EXPECT_EQ(crc32(bytes), slow_crc32(bytes)) << "length " << i;
    bytes.push_back(static_cast<char>(i * 37 + i / 256));
  }
}

TEST(Crc32, SeesEverySingleBitThatFlips) {
  const std::string line = R"({"trial":1,"status":"ok"})";
  for (size_t i = 0; i < line.size() * 8; ++i) {
    std::string torn = line;
    torn[i / 8] = static_cast<char>(torn[i / 8] ^ (1 << (i % 8)));
    EXPECT_NE(crc32(torn), crc32(line)) << "bit " << i;
  }
}

}  // namespace
}  // namespace dovetail
