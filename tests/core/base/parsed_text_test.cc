// SPDX-License-Identifier: Apache-2.0
#include "core/base/parsed_text.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/base/parallel.h"

namespace dovetail {

struct Count {
  int number = 0;
};

std::string print(Count count) { return std::to_string(count.number); }

namespace {

std::atomic<int> parsed = 0;

Result<Count> parse_count(std::string_view text) {
  ++parsed;
  if (text.empty()) return fail("found nothing, expected a number");
  return Count{std::stoi(std::string(text))};
}

using CountText = ParsedText<Count, parse_count>;

TEST(ParsedText, OfAValueIsNeverParsed) {
  parsed = 0;
  const CountText made = Count{17};
  EXPECT_EQ(made.text(), "17");
  EXPECT_EQ(made.value()->number, 17);
  EXPECT_EQ(parsed, 0);
}

TEST(ParsedText, IsParsedOnceAndOnlyWhenItsValueIsAskedFor) {
  parsed = 0;
  const CountText read = "4";
  EXPECT_EQ(parsed, 0);
  EXPECT_EQ(read.value()->number, 4);
  const CountText copy = read;
  EXPECT_EQ(&copy.value(), &read.value()) << "copies share it";
  EXPECT_EQ(parsed, 1);
}

TEST(ParsedText, KeepsTheParsersError) {
  parsed = 0;
  const CountText read;
  EXPECT_EQ(read.value().error().message, "found nothing, expected a number");
  EXPECT_FALSE(read.value());
  EXPECT_EQ(parsed, 1);
}

TEST(ParsedText, HasTheValueOfTheTextThatWasAssignedLast) {
  CountText text = "4";
  EXPECT_EQ(text.value()->number, 4);
  text = "5";
  EXPECT_EQ(text.value()->number, 5);
  const CountText taken = std::move(text);
  EXPECT_EQ(taken.value()->number, 5);
  text = {};
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(taken, CountText(Count{5})) << "compared as texts";
}

TEST(ParsedText, MayBeAskedByManyThreads) {
  const std::vector<CountText> texts(100, CountText("7"));
  std::atomic<int> sum = 0;
  for_each_in_parallel(400, [&](size_t k) { sum += texts[k % 100].value()->number; });
  EXPECT_EQ(sum, 2800);
}

}  // namespace
}  // namespace dovetail
