// SPDX-License-Identifier: Apache-2.0
#include "search/keyed_trace.h"

#include <gtest/gtest.h>

#include "costmodel/cost_models.h"
#include "search/proposer.h"
#include "search/strategies/points/scored_points.h"
#include "search/strategies/strategies.h"
#include "tests/search/small_space.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

TEST(KeyedTrace, HasTheHashOfItsTrace) {
  const Trace trace = right(parse_trace("loops: split(loop=m, factor=2)\n"));
  const KeyedTrace keyed = trace;
  EXPECT_EQ(keyed.key, hash(trace));
  EXPECT_EQ(hash(keyed), hash(trace));
  EXPECT_EQ(print(keyed), print(trace));
}

// The key that a strategy made goes through all tables and comes out with the candidate.
TEST(KeyedTrace, StaysWithItsTraceFromTheStrategyToTheCandidate) {
  const Space space = testing::larger_space();
  for (const char* name : {"random", "evolutionary", "draft_verify", "dovetail", "descent"}) {
    const auto strategy = right(make_strategy(right(parse_strategy(name)), {space, 1}));
    const auto model = right(make_cost_model("none", {}));
    Proposer proposer(space, *strategy, *model);
    for (const Proposal& proposal : right(proposer.propose(8))) {
      const Trace& trace = proposal.candidate.trace;
      EXPECT_EQ(proposal.candidate.trace.key, hash(trace)) << name;
    }
  }
}

TEST(UnseenPoints, TakeAPointByItsKeyOnce) {
  const Space space = testing::larger_space();
  UnseenPoints unseen(space, 1);
  const KeyedTrace trace = space.default_trace();
  const std::optional<ProposedPoint> taken = unseen.take(space.default_point(), trace.key);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->trace.key, trace.key);
  EXPECT_EQ(print(taken->trace), print(trace));
  EXPECT_FALSE(unseen.take(space.default_point()));
  EXPECT_FALSE(unseen.take(*taken));
}

}  // namespace
}  // namespace dovetail
