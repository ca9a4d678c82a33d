// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/xxhash64.h"

#include <gtest/gtest.h>

#include <string>

namespace dovetail::testing {
namespace {

// The buffer of the official sanity check (xsum_sanity_check.c).
std::string official_bytes(size_t count) {
  uint64_t state = 2654435761;
  std::string bytes;
  for (size_t i = 0; i < count; ++i, state *= 11400714785074694797u)
    bytes += static_cast<char>(state >> 56);
  return bytes;
}

TEST(Xxhash64, GivesTheOfficialValues) {
  EXPECT_EQ(xxhash64(""), 0xEF46DB3751D8E999);
  EXPECT_EQ(xxhash64("abc"), 0x44BC2CF5AD770999);
  EXPECT_EQ(xxhash64("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1);
  EXPECT_EQ(xxhash64(official_bytes(1)), 0xE934A84ADB052768);
  EXPECT_EQ(xxhash64(official_bytes(4)), 0x9136A0DCA57457EE);
  EXPECT_EQ(xxhash64(official_bytes(14)), 0x8282DCC4994E35C8);
  EXPECT_EQ(xxhash64(official_bytes(222)), 0xB641AE8CB691C174);
}

}  // namespace
}  // namespace dovetail::testing
