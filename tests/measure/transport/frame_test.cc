// SPDX-License-Identifier: Apache-2.0
#include "measure/transport/frame.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

std::vector<std::byte> payload_with(const std::vector<std::string>& texts) {
  std::vector<std::byte> payload;
  append(texts, payload);
  return payload;
}

TEST(Payload, HoldsAnyNumberOfTexts) {
  const std::vector<std::vector<std::string>> lists = {
      {}, {""}, {"one"}, {"", std::string("\0\xff", 2), "", "three"}};
  for (const std::vector<std::string>& texts : lists) {
    std::vector<std::string> read = {"old"};
    ASSERT_TRUE(read_payload(payload_with(texts), read));
    EXPECT_EQ(read, texts);
  }
}

TEST(Payload, FailsWhereATextIsCutOff) {
  const std::vector<std::byte> whole = payload_with({"first", "second"});
  std::vector<std::string> read;
  EXPECT_ERROR(read_payload(std::span(whole).first(whole.size() - 1), read),
               "a text of 6 bytes exceeds the 5 bytes that follow");
  EXPECT_ERROR(read_payload(std::span(whole).first(16), read),
               "a payload ends in 3 bytes, expected the length of a text");
  const uint64_t too_long = UINT64_MAX;
  EXPECT_ERROR(read_payload(std::as_bytes(std::span(&too_long, 1)), read),
               "a text of 18446744073709551615 bytes exceeds the 0 bytes");
}

}  // namespace
}  // namespace dovetail
