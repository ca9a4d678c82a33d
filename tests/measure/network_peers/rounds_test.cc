// SPDX-License-Identifier: Apache-2.0
#include "measure/network_peers/rounds.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

Contestant steady(const std::string& name, double seconds, std::vector<std::string>& turns) {
  return {.name = name, .sample = [=, &turns](const RoundsRule& rule) {
            turns.push_back(name);
            return Result(std::vector<double>(static_cast<size_t>(rule.runs), seconds));
          }};
}

TEST(MeasureInTurn, GivesMediansOfAllRounds) {
  std::vector<std::string> turns;
  const std::vector<ContestResult> all = measure_in_turn(
      {steady("a", 2, turns), steady("b", 3, turns)}, {.rounds = 2, .most_rounds = 2});
  EXPECT_EQ(turns, (std::vector<std::string>{"a", "b", "a", "b"}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].seconds, 2);
  EXPECT_EQ(all[1].seconds, 3);
  EXPECT_EQ(all[1].round_seconds, (std::vector<double>{3, 3}));
}

TEST(MeasureInTurn, GoesOnWithoutAContestantThatFails) {
  std::vector<std::string> turns;
  int calls = 0;
  const Contestant failing{.name = "f",
                           .sample = [&](const RoundsRule&) -> Result<std::vector<double>> {
                             if (++calls == 2) return fail("killed by SIGSEGV");
                             return std::vector<double>{1};
                           }};
  const std::vector<ContestResult> all = measure_in_turn({failing, steady("a", 2, turns)}, {});
  EXPECT_EQ(calls, 2);
  EXPECT_FALSE(all[0].seconds.has_value());
  EXPECT_EQ(all[0].reason, "killed by SIGSEGV");
  EXPECT_EQ(all[1].round_seconds.size(), 15u) << "they are short";
}

TEST(MeasureInTurn, BeginsNoMoreRoundsThanMustBeWhereTheyAreLong) {
  std::vector<std::string> turns;
  measure_in_turn({steady("a", 2, turns)}, {.rounds = 3, .most_rounds = 9, .rounds_seconds = 0});
  EXPECT_EQ(turns.size(), 3u);
}

TEST(MeasureInTurn, EndsBeforeTheNextTurnWhenInterrupted) {
  std::vector<std::string> turns;
  const std::vector<ContestResult> all = measure_in_turn(
      {steady("a", 2, turns), steady("b", 3, turns)}, {}, [&] { return !turns.empty(); });
  EXPECT_EQ(turns, (std::vector<std::string>{"a"}));
  EXPECT_EQ(all[0].seconds, 2);
  EXPECT_FALSE(all[1].seconds.has_value());
}

TEST(MeasureInTurn, HasNoTimeOfAContestantWithoutSamples) {
  const Contestant silent{
      .name = "s", .sample = [](const RoundsRule&) { return Result(std::vector<double>()); }};
  const std::vector<ContestResult> all = measure_in_turn({silent}, {});
  EXPECT_FALSE(all[0].seconds.has_value());
  EXPECT_EQ(all[0].reason, "it gave no sample");
}

}  // namespace
}  // namespace dovetail
