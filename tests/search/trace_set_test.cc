// SPDX-License-Identifier: Apache-2.0
#include "search/keyed_trace.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

namespace dovetail {
namespace {

TEST(TraceSet, OfNothingContainsNothing) {
  const TraceSet seen;
  EXPECT_EQ(seen.size(), 0u);
  EXPECT_FALSE(seen.contains(0));
  EXPECT_FALSE(seen.contains(1));
}

// Some close together, among them the hash that slots cannot hold, and some that share low bits.
RC_GTEST_PROP(TraceSetLaw, IsASet, ()) {
  const auto hashes = *rc::gen::container<std::vector<uint64_t>>(rc::gen::oneOf(
      rc::gen::inRange<uint64_t>(0, 50), rc::gen::arbitrary<uint64_t>(),
      rc::gen::map(rc::gen::inRange<uint64_t>(0, 50), [](uint64_t high) { return high << 56; })));
  TraceSet seen;
  std::set<uint64_t> expected;
  for (const uint64_t hash : hashes) {
    RC_ASSERT(seen.contains(hash) == expected.contains(hash));
    RC_ASSERT(seen.insert(hash) == expected.insert(hash).second);
    RC_ASSERT(seen.contains(hash));
    RC_ASSERT(seen.size() == expected.size());
  }
  for (const uint64_t hash : expected) RC_ASSERT(seen.contains(hash));
}

TEST(TraceSet, GrowsAndForgetsNothing) {
  TraceSet seen;
  constexpr uint64_t kCount = 20000, kStep = 0x100000001B3u;
  for (uint64_t i = 0; i < kCount; ++i) EXPECT_TRUE(seen.insert(i * kStep));
  for (uint64_t i = 0; i < kCount; ++i) EXPECT_FALSE(seen.insert(i * kStep));
  EXPECT_EQ(seen.size(), kCount);
  EXPECT_FALSE(seen.contains(kCount * kStep));
}

}  // namespace
}  // namespace dovetail
