// SPDX-License-Identifier: Apache-2.0
// These laws hold for every strategy, with a cost model and without.
#include <gtest/gtest.h>

#include <set>

#include "search/strategies/strategies.h"
#include "tests/search/simulated_search.h"
#include "tests/search/small_space.h"

namespace dovetail {
namespace {

using testing::conditional_space;
using testing::larger_space;
using testing::NoisyScorer;
using testing::seconds_by_primitives;
using testing::simulate;
using testing::SimulatedSearch;
using testing::SimulationOptions;
using testing::small_space;

struct Case {
  std::string name;
  bool has_model = false;
  friend void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name << (c.has_model ? " with a model" : "");
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const StrategyEntry& entry : strategies()) {
    if (entry.is_program) continue;  // what it proposes is its own affair
    if (entry.name == "ppo" && !DOVETAIL_HAVE_TORCH) continue;
    for (const bool has_model : {false, true}) all.push_back({std::string(entry.name), has_model});
  }
  return all;
}

class EveryStrategy : public ::testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Strategy> strategy(const Space& space, uint64_t seed) {
    // Little learning: what a policy is worth is tested elsewhere.
    const std::string spec = GetParam().name == "ppo" ? "ppo:epochs=2" : GetParam().name;
    return std::move(*make_strategy(*parse_strategy(spec),
                                    {space, seed, GetParam().has_model ? &scorer_ : nullptr}));
  }
  SimulatedSearch search(const Space& space, uint64_t seed, const SimulationOptions& options = {}) {
    const auto made = strategy(space, seed);
    return simulate(*made, seconds_by_primitives, options);
  }

  NoisyScorer scorer_{seconds_by_primitives, 0.1, /*illegal_every=*/7};
};

std::set<uint64_t> distinct(const std::vector<uint64_t>& traces) {
  return {traces.begin(), traces.end()};
}

TEST_P(EveryStrategy, ProposesEveryTraceOfASmallSpaceOnceAndEnds) {
  for (const Space& space : {small_space(), conditional_space()}) {
    const SimulatedSearch found = search(space, 1, {.trials = 10'000});
    EXPECT_EQ(static_cast<double>(found.traces.size()), space.count());
    EXPECT_EQ(distinct(found.traces).size(), found.traces.size());
  }
}

TEST_P(EveryStrategy, ProposesTheSameByTheSameSeedAndObservations) {
  const Space space = larger_space();
  const std::vector<uint64_t> first = search(space, 4).traces;
  EXPECT_EQ(first, search(space, 4).traces);
  EXPECT_EQ(first.size(), 200u);
  if (GetParam().name == "exhaustive") return;
  EXPECT_NE(first, search(space, 5).traces);
}

TEST_P(EveryStrategy, GoesOnWhenCandidatesFailOrAreRejected) {
  const auto answer = [](size_t i, const Trace& trace, double seconds) {
    if (i % 3 == 0) return Observation{.trace = trace, .rejected = true};
    if (i % 3 == 1) return Observation{.trace = trace, .status = Status::timeout};
    return Observation{.trace = trace, .seconds = seconds};
  };
  EXPECT_EQ(search(larger_space(), 2, {.trials = 400, .answer = answer}).traces.size(), 400u);
  EXPECT_EQ(search(small_space(), 2, {.trials = 400, .answer = answer}).traces.size(), 40u);
}

TEST_P(EveryStrategy, GoesOnWhenNothingIsValid) {
  const auto answer = [](size_t, const Trace& trace, double) {
    return Observation{.trace = trace, .status = Status::wrong_output};
  };
  EXPECT_EQ(search(larger_space(), 2, {.trials = 400, .answer = answer}).traces.size(), 400u);
}

TEST_P(EveryStrategy, GoesOnWithoutEverBeingTold) {
  const Space space = small_space();
  const auto silent = strategy(space, 3);
  size_t count = 0;
  while (true) {
    const std::vector<KeyedTrace> traces = *silent->propose(7);
    if (traces.empty()) break;
    count += traces.size();
  }
  EXPECT_EQ(count, 40u);
}

TEST_P(EveryStrategy, IgnoresTracesThatItDidNotPropose) {
  const Space space = small_space();
  const auto told = strategy(space, 3);
  Trace foreign = space.default_trace();
  foreign.loops[0].primitives.emplace_back(loop::Unroll{"k"});
  told->observe(std::vector<Observation>{{.trace = space.default_trace(), .seconds = 1e-3},
                                         {.trace = foreign, .seconds = 1e-9}});
  EXPECT_EQ(simulate(*told, seconds_by_primitives).traces.size(), 40u);
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, ::testing::ValuesIn(cases()),
                         [](const ::testing::TestParamInfo<Case>& info) {
                           return info.param.name + (info.param.has_model ? "_with_model" : "");
                         });

}  // namespace
}  // namespace dovetail
