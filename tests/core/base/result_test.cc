// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

Result<int> parse_digit(char c) {
  if (c < '0' || c > '9') return fail(std::string("expected a digit, found '") + c + "'");
  return c - '0';
}

Result<int> add_digits(char a, char b) {
  const int first = TRY(parse_digit(a));
  const int second = TRY(parse_digit(b));
  return first + second;
}

Result<void> require_digit(char c) {
  TRY(parse_digit(c));
  return {};
}

Result<std::string> digit_name(char c) {
  TRY(require_digit(c));
  return "digit";
}

Result<std::unique_ptr<int>> make_owned(bool good) {
  if (!good) return fail("nothing to own");
  return std::make_unique<int>(7);
}

Result<int> read_owned(bool good) {
  const std::unique_ptr<int> owned = TRY(make_owned(good));
  return *owned;
}

TEST(Result, HoldsTheValue) {
  const Result<int> result = parse_digit('4');
  ASSERT_TRUE(result);
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ(*result, 4);
  EXPECT_EQ(result.value(), 4);
  EXPECT_EQ(result.value_or(9), 4);
}

TEST(Result, HoldsTheError) {
  const Result<int> result = parse_digit('x');
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), Error{"expected a digit, found 'x'"});
  EXPECT_EQ(result.value_or(9), 9);
  EXPECT_ERROR(result, "found 'x'");
}

TEST(Result, ContextKeepsTheKindOfAnError) {
  const Error limit{"image width 9 is over the limit 8", ErrorKind::device_limit};
  const Result<int> result = fail_in("buffer X", limit);
  EXPECT_EQ(result.error(),
            (Error{"buffer X: image width 9 is over the limit 8", ErrorKind::device_limit}));
  EXPECT_EQ(Result<int>(fail("odd")).error().kind, ErrorKind::input);
}

TEST(Result, ArrowReachesTheMembersOfTheValue) {
  Result<std::string> result = std::string("abc");
  EXPECT_EQ(result->size(), 3u);
  result->push_back('d');
  EXPECT_EQ(*result, "abcd");
}

TEST(Result, ConvertsWhatConvertsToTheValue) {
  const Result<std::string> text = "literal";
  EXPECT_EQ(*text, "literal");
  const Result<std::shared_ptr<const int>> shared = std::make_shared<int>(3);
  EXPECT_EQ(**shared, 3);
}

TEST(Result, HoldsAnErrorAsAValueToo) {
  const Result<Error> value = Error{"a value"};
  ASSERT_TRUE(value);
  const Result<Error> error = fail("an error");
  EXPECT_FALSE(error);
}

TEST(Result, ComparesValuesAndErrors) {
  EXPECT_EQ(parse_digit('1'), parse_digit('1'));
  EXPECT_NE(parse_digit('1'), parse_digit('2'));
  EXPECT_NE(parse_digit('1'), parse_digit('x'));
  EXPECT_EQ(parse_digit('x'), parse_digit('x'));
}

TEST(Result, MovesTheValueOut) {
  Result<std::vector<int>> result = std::vector<int>{1, 2, 3};
  const int* storage = result->data();
  const std::vector<int> taken = *std::move(result);
  EXPECT_EQ(taken.data(), storage);
}

TEST(Try, YieldsTheValue) { EXPECT_EQ(add_digits('2', '3'), Result<int>(5)); }

TEST(Try, ReturnsTheFirstError) {
  EXPECT_ERROR(add_digits('a', 'b'), "found 'a'");
  EXPECT_ERROR(add_digits('1', 'b'), "found 'b'");
}

TEST(Try, WorksWithMoveOnlyValues) {
  EXPECT_EQ(read_owned(true), Result<int>(7));
  EXPECT_ERROR(read_owned(false), "nothing to own");
}

TEST(Try, WorksWithVoid) {
  EXPECT_TRUE(require_digit('1'));
  EXPECT_EQ(digit_name('1'), Result<std::string>("digit"));
  EXPECT_ERROR(digit_name('?'), "found '?'");
}

TEST(Try, LeavesANamedResultAsItWas) {
  const auto twice = [](const Result<std::string>& named) -> Result<std::string> {
    const std::string first = TRY(named);
    return first + TRY(named);
  };
  EXPECT_EQ(twice(std::string("ab")), Result<std::string>("abab"));
}

TEST(ResultDeathTest, TheValueOfAnErrorAborts) {
  const Result<int> error = parse_digit('x');
  EXPECT_DEATH(static_cast<void>(error.value()), "value\\(\\) of an error: expected a digit");
  const Result<void> no_value = require_digit('x');
  EXPECT_DEATH(no_value.value(), "value\\(\\) of an error: expected a digit");
}

TEST(ResultDeathTest, TheErrorOfAValueAborts) {
  EXPECT_DEATH(static_cast<void>(parse_digit('1').error()), "a Result that holds a value");
}

}  // namespace
}  // namespace dovetail
