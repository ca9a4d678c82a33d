// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/base/cores.h"

namespace dovetail {
namespace {

using Cores = std::vector<int>;
using Physical = std::vector<Cores>;

const Physical kFourOfTwo = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};

Cores all_of(const Physical& physical) {
  Cores all;
  for (const Cores& threads : physical) all.insert(all.end(), threads.begin(), threads.end());
  std::ranges::sort(all);
  return all;
}

Cores joined(Cores a, const Cores& b) { return all_of({std::move(a), b}); }

TEST(CoreSplit, TimesOnTheLastOfCoresThatShareNothing) {
  const Physical physical = {{0}, {1}, {2}, {3}};
  EXPECT_EQ(split_cores(physical, 1),
            (CoreSplit{.timed = {3}, .beside = {}, .rest = {0, 1, 2}, .shared = false}));
  EXPECT_EQ(split_cores(physical, 3),
            (CoreSplit{.timed = {1, 2, 3}, .beside = {}, .rest = {0}, .shared = false}));
  EXPECT_EQ(split_cores(physical, 4),
            (CoreSplit{.timed = {0, 1, 2, 3}, .beside = {}, .rest = {0, 1, 2, 3}, .shared = true}));
}

TEST(CoreSplit, LeavesTheThreadsBesideIdle) {
  EXPECT_EQ(split_cores(kFourOfTwo, 1),
            (CoreSplit{.timed = {3}, .beside = {7}, .rest = {0, 1, 2, 4, 5, 6}, .shared = false}));
  EXPECT_EQ(split_cores(kFourOfTwo, 2),
            (CoreSplit{.timed = {2, 3}, .beside = {6, 7}, .rest = {0, 1, 4, 5}, .shared = false}));
}

TEST(CoreSplit, SharesWhatThereIsWhenAllPhysicalCoresAreTimedOn) {
  EXPECT_EQ(split_cores(kFourOfTwo, 4), (CoreSplit{.timed = {0, 1, 2, 3},
                                                   .beside = {4, 5, 6, 7},
                                                   .rest = {0, 1, 2, 3, 4, 5, 6, 7},
                                                   .shared = true}));
  EXPECT_EQ(split_cores(kFourOfTwo, 5).timed, (Cores{0, 1, 2, 3, 7}));
  EXPECT_EQ(split_cores({{0, 1}}, 1),
            (CoreSplit{.timed = {0}, .beside = {1}, .rest = {0, 1}, .shared = true}));
}

TEST(CoreSplit, TimesOnAllWhenMoreAreAskedFor) {
  EXPECT_EQ(split_cores(kFourOfTwo, 9).timed, all_of(kFourOfTwo));
}

RC_GTEST_PROP(CoreSplit, HasEveryCoreOnceAndTimesOnFewThreadsOfOneCore, ()) {
  Physical physical;
  int core = 0;
  const auto sizes =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 4)));
  for (const int size : sizes) {
    physical.emplace_back();
    for (int i = 0; i < size; ++i) physical.back().push_back(core++);
  }
  const auto timed = static_cast<size_t>(*rc::gen::inRange(1, core + 1));
  const CoreSplit split = split_cores(physical, timed);
  RC_ASSERT(split.timed.size() == timed);
  const Cores used = joined(split.timed, split.beside);
  RC_ASSERT((split.shared ? used : joined(used, split.rest)) == all_of(physical));
  if (split.shared) RC_ASSERT(split.rest == used);
  // No physical core has two timed threads while another has none.
  const auto timed_on = [&](const Cores& threads) {
    return std::ranges::count_if(
        threads, [&](int thread) { return std::ranges::count(split.timed, thread) > 0; });
  };
  const auto [fewest, most] = std::ranges::minmax(physical, {}, timed_on);
  if (timed_on(most) > 1) RC_ASSERT(timed_on(fewest) > 0);
}

TEST(PhysicalCores, AreOfTheCoresThatMayBeUsed) {
  const Physical physical = physical_cores();
  EXPECT_EQ(all_of(physical), allowed_cores());
  EXPECT_TRUE(std::ranges::is_sorted(physical, {}, [](const Cores& c) { return c.front(); }));
}

}  // namespace
}  // namespace dovetail
