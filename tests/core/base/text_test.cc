// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace dovetail {
namespace {

using ::testing::ElementsAre;

TEST(Split, GivesOnePartMoreThanThereAreSeparators) {
  EXPECT_THAT(split("3x3x1", 'x'), ElementsAre("3", "3", "1"));
  EXPECT_THAT(split("3", 'x'), ElementsAre("3"));
  EXPECT_THAT(split("", 'x'), ElementsAre(""));
  EXPECT_THAT(split("x3x", 'x'), ElementsAre("", "3", ""));
}

TEST(ReadNumber, TakesTheWholeText) {
  EXPECT_EQ(read_number<int64_t>("64"), 64);
  EXPECT_EQ(read_number<int64_t>("-64"), -64);
  EXPECT_EQ(read_number<double>("1.5e3"), 1500.0);
}

TEST(ReadNumber, GivesNothingForAnythingElse) {
  for (const char* text : {"", " 64", "64 ", "64k", "+64", "9223372036854775808"})
    EXPECT_EQ(read_number<int64_t>(text), std::nullopt) << text;
}

TEST(OneOf, NamesEveryItemOfAList) {
  struct Verb {
    const char* name;
  };
  EXPECT_EQ(one_of(std::vector<Verb>{{"tune"}, {"show"}}, &Verb::name), "tune, show");
  EXPECT_EQ(one_of(std::vector<std::string>{"h"}), "h");
  EXPECT_EQ(one_of(std::vector<std::string>{}), "");
}

TEST(FirstNames, CountTheRest) {
  EXPECT_EQ(first_names({"a", "b"}), "a, b");
  EXPECT_EQ(first_names({"a", "b", "c"}, 2), "a, b, c") << "as long as \"and 1 more\"";
  EXPECT_EQ(first_names({"a", "b", "c", "d"}, 2), "a, b and 2 more");
  EXPECT_EQ(first_names({}), "");
}

TEST(ShellWord, QuotesOnlyWhatTheShellWouldReadOtherwise) {
  EXPECT_EQ(shell_word("c2d:ci=16,co=32"), "c2d:ci=16,co=32");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("it's\x1b\\"), "$'it\\'s\\x1b\\\\'");
}

TEST(DidYouMean, NamesTheWordThatIsASlipAway) {
  const std::vector<std::string> verbs = {"tune", "log", "replay", "--trials", "run"};
  EXPECT_EQ(did_you_mean("tun", verbs), "; did you mean tune?");
  EXPECT_EQ(did_you_mean("--trails", verbs), "; did you mean --trials?");
  EXPECT_EQ(did_you_mean("relpay", verbs), "; did you mean replay?");
  EXPECT_EQ(did_you_mean("x", verbs), "");
  EXPECT_EQ(did_you_mean("lxx", verbs), "");  // two of three letters are no slip
  EXPECT_EQ(did_you_mean("", {}), "");
}

}  // namespace
}  // namespace dovetail
