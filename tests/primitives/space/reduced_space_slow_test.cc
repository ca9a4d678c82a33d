// SPDX-License-Identifier: Apache-2.0
// Every point of the spaces that are measured completely, decoded; nothing is measured.
#include <gtest/gtest.h>

#include <unordered_set>

#include "core/ir/graph/suite.h"
#include "primitives/space/reduced_space.h"
#include "tests/primitives/lowered.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

struct Distinct {
  std::unordered_set<uint64_t> traces;
  std::unordered_set<uint64_t> layouts;  // with the algorithm
};

void visit(const Space& space, Point& earlier, Distinct& distinct) {
  if (earlier.size() == space.parameters().size()) {
    Trace trace = space.decode(earlier);
    distinct.traces.insert(hash(trace));
    trace.loops.clear();
    distinct.layouts.insert(hash(trace));
    return;
  }
  for (const int64_t value : space.parameters()[earlier.size()].domain(earlier)) {
    earlier.push_back(value);
    visit(space, earlier, distinct);
    earlier.pop_back();
  }
}

void expect_rich_spaces(const char* suite) {
  const Suite entries = *read_suite((testing::source_dir() / "scripts/suites" / suite).string());
  for (const SuiteEntry& entry : entries) {
    const Space space = *reduced_space(*build_space(entry.spec, testing::cpu(16, 32)));
    Distinct distinct;
    Point earlier;
    visit(space, earlier, distinct);
    EXPECT_GE(distinct.traces.size(), 20'000U) << print(entry.spec);
    EXPECT_LE(distinct.traces.size(), 60'000U) << print(entry.spec);
    EXPECT_GE(distinct.layouts.size(), 50U) << print(entry.spec);
  }
}

TEST(ReducedSpaces, TheFirstNineHaveTwentyThousandTracesAndFiftyLayouts) {
  expect_rich_spaces("spaces_first.txt");
}

TEST(ReducedSpaces, TheSecondNineHaveTwentyThousandTracesAndFiftyLayouts) {
  expect_rich_spaces("spaces_second.txt");
}

}  // namespace
}  // namespace dovetail
