// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/log_line.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

// python3 -c 'import zlib; print(f"{zlib.crc32(b"{\"trial\":17"):08x}")'
TEST(LogLine, EndsWithTheZlibChecksumOfWhatStandsBeforeIt) {
  EXPECT_EQ(seal_line(R"({"trial":17})"), R"({"trial":17,"crc":"62755949"})");
}

TEST(LogLine, OpensToWhatWasSealed) {
  const auto object = open_line(seal_line(R"({"a":"crc","b":[1,2]})"));
  ASSERT_TRUE(object.has_value());
  EXPECT_EQ(*object, R"({"a":"crc","b":[1,2]})");
}

TEST(LogLine, IsRefusedAfterAnySingleBitFlip) {
  const std::string line = seal_line(R"({"trial":17,"status":"ok"})");
  for (size_t byte = 0; byte < line.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = line;
      flipped[byte] = char(flipped[byte] ^ (1 << bit));
      EXPECT_FALSE(open_line(flipped).has_value()) << flipped;
    }
  }
}

TEST(LogLine, IsRefusedWhenCutAnywhere) {
  const std::string line = seal_line(R"({"trial":17,"status":"ok"})");
  for (size_t size = 0; size < line.size(); ++size) {
    EXPECT_FALSE(open_line(line.substr(0, size)).has_value()) << line.substr(0, size);
  }
}

TEST(LogLine, SaysWhatIsWrong) {
  EXPECT_ERROR(open_line(""), "not a JSON object");
  EXPECT_ERROR(open_line("hello"), "not a JSON object");
  EXPECT_ERROR(open_line(R"({"trial":17})"), "no checksum");
  EXPECT_ERROR(open_line(R"({"trial":17,"crc":"62755948"})"),
               "checksum is 62755948, the line's bytes give 62755949");
  EXPECT_ERROR(open_line(R"({"trial":17,"crc":"627559FF"})"), "no checksum");
}

}  // namespace
}  // namespace dovetail
