// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/strategies.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/search/small_space.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::larger_space;
using testing::small_space;

std::vector<uint64_t> hashes(const std::vector<KeyedTrace>& traces) {
  std::vector<uint64_t> found;
  for (const Trace& trace : traces) found.push_back(hash(trace));
  return found;
}

std::vector<KeyedTrace> propose_all(Strategy& strategy, size_t at_once) {
  std::vector<KeyedTrace> all;
  while (true) {
    const std::vector<KeyedTrace> traces = *strategy.propose(at_once);
    if (traces.empty()) return all;
    all.insert(all.end(), traces.begin(), traces.end());
  }
}

std::unique_ptr<Strategy> random_strategy(const Space& space, uint64_t seed) {
  return std::move(*make_strategy({.name = "random", .options = {}}, {space, seed}));
}

TEST(ParseStrategy, ReadsANameAndItsOptionsAndFillsInTheOthers) {
  EXPECT_EQ(print(*parse_strategy("random")), "random");
  const Result<StrategySpec> spec = parse_strategy("annealing:temperature=0.5,chains=8");
  ASSERT_TRUE(spec);
  EXPECT_EQ(print(*spec), "annealing:chains=8,cooling=0.97,epsilon=0.05,steps=32,temperature=0.5");
}

TEST(ParseStrategy, ReadsWhatItPrints) {
  for (const StrategyEntry& entry : strategies()) {
    if (entry.is_program) continue;
    const StrategySpec spec = *parse_strategy(entry.name);
    EXPECT_EQ(*parse_strategy(print(spec)), spec);
    EXPECT_EQ(spec.options.size(), entry.describe_options().size());
  }
}

TEST(BriefStrategy, LeavesOutWhatHasItsDefault) {
  for (const StrategyEntry& entry : strategies()) {
    if (entry.is_program) continue;
    EXPECT_EQ(brief_strategy(print(*parse_strategy(entry.name))), entry.name);
  }
  const std::string changed = print(*parse_strategy("annealing:chains=8"));
  EXPECT_EQ(brief_strategy(changed), "annealing:chains=8");
  EXPECT_EQ(brief_strategy("exec:python3 mine.py"), "exec:python3 mine.py");
  EXPECT_EQ(brief_strategy("of another version:x=1"), "of another version:x=1");
}

TEST(ParseStrategy, TakesTheWholeRestAsTheCommandOfAProgram) {
  const StrategySpec spec = *parse_strategy("exec:python3 mine.py --a=1,2 : b");
  EXPECT_EQ(spec.options, (StrategyOptions{{"command", "python3 mine.py --a=1,2 : b"}}));
  EXPECT_EQ(print(spec), "exec:python3 mine.py --a=1,2 : b");
  EXPECT_EQ(*parse_strategy(print(spec)), spec);
  EXPECT_ERROR(parse_strategy("exec"), "strategy exec needs a program: exec:COMMAND");
  EXPECT_ERROR(parse_strategy("exec: "), "strategy exec needs a program: exec:COMMAND");
  EXPECT_ERROR(parse_strategy("exec:a\nb"), "the command has several lines");
}

TEST(ParseStrategy, RefusesAnUnknownNameAndListsTheKnownOnes) {
  EXPECT_ERROR(parse_strategy("magic"), "unknown strategy 'magic'; expected one of: random, ");
  EXPECT_ERROR(parse_strategy(""), "unknown strategy ''");
}

TEST(ParseStrategy, RefusesOptionsThatAreNoPairs) {
  EXPECT_ERROR(parse_strategy("random:"), "strategy option '' is not of the form key=value");
  EXPECT_ERROR(parse_strategy("random:a"), "strategy option 'a' is not of the form key=value");
  EXPECT_ERROR(parse_strategy("random:a="), "strategy option 'a=' is not of the form key=value");
  EXPECT_ERROR(parse_strategy("random:a=1,a=2"), "strategy option 'a' is given twice");
}

TEST(ParseStrategy, RefusesAnOptionThatTheStrategyDoesNotHave) {
  EXPECT_ERROR(parse_strategy("random:clip=1"), "strategy random has no options, found 'clip'");
  EXPECT_ERROR(parse_strategy("annealing:clip=1"),
               "unknown option 'clip' of strategy annealing; expected one of: chains, ");
}

TEST(ParseStrategy, RefusesAValueThatIsNoNumberOrOutOfRange) {
  EXPECT_ERROR(parse_strategy("annealing:chains=many"),
               "option chains of strategy annealing: found 'many', expected a whole number from 1 "
               "to 4096");
  EXPECT_ERROR(parse_strategy("annealing:chains=0"), "found '0'");
  EXPECT_ERROR(parse_strategy("annealing:chains=2.5"), "found '2.5'");
  EXPECT_ERROR(parse_strategy("evolutionary:epsilon=1.5"),
               "found '1.5', expected a number from 0 to 1");
  EXPECT_ERROR(parse_strategy("evolutionary:epsilon=nan"), "found 'nan'");
}

TEST(Strategies, AreInTheDocumentationInTheWordsOfTheProgram) {
  const std::string text = testing::source_file("docs/command-line.md");
  const std::string details = testing::source_file("docs/strategies.md");
  for (const StrategyEntry& entry : strategies()) {
    const std::string row = fmt::format("| `{}` | {} |", entry.name, entry.meaning);
    EXPECT_NE(text.find(row), std::string::npos) << row;
    for (const OptionHelp& option : entry.describe_options()) {
      const std::string line = fmt::format("| `{}` | `{}` | {} | {} |", entry.name, option.name,
                                           option.otherwise, option.meaning);
      EXPECT_NE(details.find(line), std::string::npos) << line;
    }
  }
}

TEST(RandomStrategy, ProposesEveryTraceOfASmallSpaceOnceAndEnds) {
  const Space space = small_space();
  const auto strategy = random_strategy(space, 1);
  const std::vector<uint64_t> all = hashes(propose_all(*strategy, 7));
  EXPECT_EQ(all.size(), 40u);
  EXPECT_EQ(std::set<uint64_t>(all.begin(), all.end()).size(), all.size());
}

TEST(RandomStrategy, NeverRepeatsATraceOfALargerSpace) {
  const Space space = larger_space();
  const auto strategy = random_strategy(space, 1);
  const std::vector<uint64_t> all = hashes(propose_all(*strategy, 64));
  EXPECT_EQ(std::set<uint64_t>(all.begin(), all.end()).size(), all.size());
  EXPECT_EQ(static_cast<double>(all.size()), space.count());
}

TEST(RandomStrategy, DependsOnItsSeedOnlyAndNotOnHowManyAreAskedFor) {
  const Space space = larger_space();
  const auto one = random_strategy(space, 5), other = random_strategy(space, 5);
  std::vector<KeyedTrace> by_one;
  for (int i = 0; i < 64; ++i) by_one.push_back(one->propose(1)->front());
  EXPECT_EQ(hashes(by_one), hashes(*other->propose(64)));
  EXPECT_NE(hashes(*random_strategy(space, 6)->propose(64)), hashes(by_one));
}

}  // namespace
}  // namespace dovetail
