// SPDX-License-Identifier: Apache-2.0
#include "search/candidate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/search/small_space.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::illegal_space;
using testing::larger_space;
using testing::right;

// Different traces of the space.
std::vector<KeyedTrace> some_traces(const Space& space, size_t count) {
  std::vector<KeyedTrace> traces;
  std::mt19937_64 rng(0);
  while (traces.size() < count) {
    const Trace trace = space.decode(space.sample(rng));
    if (std::ranges::find(traces, trace) == traces.end()) traces.push_back(trace);
  }
  return traces;
}

TEST(DraftedCandidates, GivesWhatWasLoweredOnce) {
  const Space space = larger_space();
  DraftedCandidates drafted(by_lowering(space));
  const Trace trace = space.default_trace();
  EXPECT_FALSE(drafted.take(trace).has_value());
  const Program lowered = right(drafted.keeping()(trace)).program;
  const std::optional<Candidate> taken = drafted.take(trace);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->trace, trace);
  EXPECT_EQ(taken->program, lowered);
  EXPECT_FALSE(drafted.take(trace).has_value());
}

TEST(DraftedCandidates, KeepsNothingOfAnIllegalTrace) {
  const Space space = illegal_space();
  DraftedCandidates drafted(by_lowering(space));
  EXPECT_FALSE(drafted.keeping()(space.default_trace()).has_value());
  EXPECT_FALSE(drafted.take(space.default_trace()).has_value());
}

TEST(DraftedCandidates, ForgetsTheOldest) {
  const Space space = larger_space();
  int64_t lowered = 0;
  DraftedCandidates drafted([&](const Trace& trace) -> Result<Candidate> {
    ++lowered;
    return Candidate{.trace = trace, .program = {}};
  });
  const std::vector<KeyedTrace> traces = some_traces(space, DraftedCandidates::kMostKept + 2);
  const MakeCandidate make = drafted.keeping();
  for (size_t i = 0; i + 1 < traces.size(); ++i) right(make(traces[i]));
  EXPECT_FALSE(drafted.take(traces[0]).has_value());
  EXPECT_TRUE(drafted.take(traces[2]).has_value());
  right(make(traces.back()));  // in its place
  EXPECT_TRUE(drafted.take(traces[1]).has_value());
  EXPECT_EQ(lowered, static_cast<int64_t>(traces.size()));
}

}  // namespace
}  // namespace dovetail
