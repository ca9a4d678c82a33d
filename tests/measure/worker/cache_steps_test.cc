// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/cache_steps.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace dovetail {
namespace {

using enum CacheAction;

// X, W, Y, what a padding pass makes of X, and what is made of W once.
const ArenaPlan kPlan = {.places = {{4096, 64, BufferRole::activation},
                                    {8192, 64, BufferRole::constant},
                                    {12288, 64, BufferRole::output},
                                    {16384, 64, BufferRole::temporary},
                                    {20480, 64, BufferRole::prepared}},
                         .bytes = 24576};

TEST(CacheSteps, OfHotAndColdCachesKnowNoBuffers) {
  EXPECT_TRUE(steps_to(Caches::hot, kPlan, Eviction::by_line).empty());
  EXPECT_EQ(steps_to(Caches::cold, kPlan, Eviction::by_line),
            (std::vector<CacheStep>{{evict_all}}));
}

TEST(CacheSteps, OfANetworkFromMemoryEvictItsConstantsAndWriteActivationsLast) {
  EXPECT_EQ(steps_to(Caches::network_memory, kPlan, Eviction::by_line),
            (std::vector<CacheStep>{{evict, 1}, {evict, 4}, {write, 2}, {write, 3}, {write, 0}}));
  EXPECT_EQ(steps_to(Caches::network_memory, kPlan, Eviction::of_everything),
            (std::vector<CacheStep>{{evict_all}, {write, 2}, {write, 3}, {write, 0}}));
}

TEST(CacheSteps, OfANetworkInTheLastCacheReadItsConstantsAndPushThemOut) {
  for (const Eviction eviction : {Eviction::by_line, Eviction::of_everything}) {
    EXPECT_EQ(steps_to(Caches::network_l3, kPlan, eviction),
              (std::vector<CacheStep>{
                  {read, 1}, {read, 4}, {push_out}, {write, 2}, {write, 3}, {write, 0}}));
  }
}

TEST(CacheSteps, ChangeNoByte) {
  alignas(64) std::byte bytes[1024];
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  std::byte before[sizeof bytes];
  std::memcpy(before, bytes, sizeof bytes);
  void* const buffer = bytes;
  constexpr int64_t kLines = sizeof bytes / kBufferAlignment;
  read_lines(&buffer, 0, kLines);
  write_lines(&buffer, 0, kLines);
  if (eviction_here() == Eviction::by_line) evict_lines(&buffer, 0, kLines);
  EXPECT_EQ(std::memcmp(before, bytes, sizeof bytes), 0);
}

}  // namespace
}  // namespace dovetail
