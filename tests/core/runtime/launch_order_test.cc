// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/launch_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace dovetail {
namespace {

using Orders = std::vector<std::vector<size_t>>;

LaunchBytes launch(std::vector<uint64_t> read, std::vector<uint64_t> written) {
  LaunchBytes made;
  for (const uint64_t at : read) made.read.push_back({at, at + 1});
  for (const uint64_t at : written) made.written.push_back({at, at + 1});
  return made;
}

TEST(LaunchOrder, BranchesWaitForTheirSourceAlone) {
  const std::vector<LaunchBytes> launches = {launch({0}, {1}), launch({1}, {2}), launch({1}, {3}),
                                             launch({2, 3}, {0})};
  EXPECT_EQ(launches_awaited(launches), (Orders{{}, {0}, {0}, {2, 1}}));
}

TEST(LaunchOrder, WhoReadsIsAwaitedByWhoWritesThereAgain) {
  const std::vector<LaunchBytes> launches = {launch({0}, {1}), launch({0}, {2}), launch({3}, {0})};
  EXPECT_EQ(launches_awaited(launches), (Orders{{}, {}, {1, 0}}));
}

TEST(LaunchOrder, PartsOfAnArrayAreApart) {
  const std::vector<LaunchBytes> launches = {{.read = {}, .written = {{0, 64}}},
                                             {.read = {}, .written = {{64, 128}}},
                                             {.read = {{32, 65}}, .written = {}}};
  EXPECT_EQ(launches_awaited(launches), (Orders{{}, {}, {1, 0}}));
}

constexpr uint64_t kBytes = 6;

// Each byte that is written depends on all that are read, on its launch and on what it was.
void run(const LaunchBytes& bytes, size_t number, std::vector<uint64_t>& memory) {
  uint64_t sum = number + 1;
  for (const ByteRange& range : bytes.read)
    for (uint64_t at = range.begin; at < range.end; ++at) sum = 31 * sum + memory[at];
  for (const ByteRange& range : bytes.written)
    for (uint64_t at = range.begin; at < range.end; ++at) memory[at] = 17 * memory[at] + sum;
}

LaunchBytes any_launch() {
  const auto ranges = [] {
    std::vector<ByteRange> made;
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
      const auto begin = *rc::gen::inRange<uint64_t>(0, kBytes);
      made.push_back({begin, *rc::gen::inRange(begin, kBytes) + 1});
    }
    return made;
  };
  return {.read = ranges(), .written = ranges()};
}

RC_GTEST_PROP(LaunchOrderLaw, EachOrderThatKeepsToItGivesTheSame, ()) {
  std::vector<LaunchBytes> launches(*rc::gen::inRange<size_t>(1, 9));
  for (LaunchBytes& made : launches) made = any_launch();
  const Orders awaited = launches_awaited(launches);
  std::vector<uint64_t> in_order(kBytes), in_another(kBytes);
  for (size_t i = 0; i < launches.size(); ++i) run(launches[i], i, in_order);
  std::set<size_t> done;
  while (done.size() < launches.size()) {
    std::vector<size_t> ready;
    for (size_t i = 0; i < launches.size(); ++i)
      if (!done.contains(i) &&
          std::ranges::all_of(awaited[i], [&](size_t other) { return done.contains(other); }))
        ready.push_back(i);
    const size_t next = *rc::gen::elementOf(ready);
    run(launches[next], next, in_another);
    done.insert(next);
  }
  RC_ASSERT(in_order == in_another);
}

}  // namespace
}  // namespace dovetail
