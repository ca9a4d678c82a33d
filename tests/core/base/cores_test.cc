// SPDX-License-Identifier: Apache-2.0
#include "core/base/cores.h"

#include <gtest/gtest.h>

#include <thread>

namespace dovetail {
namespace {

TEST(Cores, APinnedThreadMayUseThoseOnlyAndSoMayWhatItStarts) {
  const std::vector<int> all = allowed_cores();
  ASSERT_FALSE(all.empty());
  std::vector<int> pinned, started;
  std::thread([&] {
    EXPECT_TRUE(pin_calling_thread({all.back()}));
    pinned = allowed_cores();
    std::thread([&] { started = allowed_cores(); }).join();
  }).join();
  EXPECT_EQ(pinned, std::vector<int>{all.back()});
  EXPECT_EQ(started, pinned);
  EXPECT_EQ(allowed_cores(), all) << "another thread's";
}

TEST(Cores, NoneIsRefused) { EXPECT_FALSE(pin_calling_thread({})); }

TEST(Cores, AreThoseBeforeWhenAScopeEnds) {
  const std::vector<int> all = allowed_cores();
  std::thread([&] {
    ASSERT_TRUE(pin_calling_thread({all.front()}));
    {
      const OnCores unpinned(all);
      EXPECT_EQ(allowed_cores(), all);
    }
    EXPECT_EQ(allowed_cores(), std::vector{all.front()});
  }).join();
}

}  // namespace
}  // namespace dovetail
