// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph/name_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

std::string taken(std::string_view text) { return testing::right(take_name(text)); }

TEST(NameText, QuotesWhatIsNotPlain) {
  EXPECT_EQ(print_name("conv1.weight"), "conv1.weight");
  EXPECT_EQ(print_name("onnx::Conv 193"), "\"onnx::Conv 193\"");
  EXPECT_EQ(print_name("a\"b\n"), "\"a\\\"b\\x0a\"");
  EXPECT_EQ(print_name(""), "\"\"");
}

TEST(NameText, TakesOneNameFromTheFront) {
  std::string_view rest = "x.y (z)";
  EXPECT_EQ(testing::right(take_name(rest)), "x.y");
  EXPECT_EQ(rest, " (z)");
}

TEST(NameText, SaysWhatIsNoName) {
  std::string_view rest;
  EXPECT_ERROR(take_name(rest), "found the end of the line");
  rest = "\"open";
  EXPECT_ERROR(take_name(rest), "without its closing quote");
  rest = "\"\\x0g\"";
  EXPECT_ERROR(take_name(rest), "two hexadecimal digits");
}

RC_GTEST_PROP(NameTextLaw, TakeUndoesPrint, (const std::string& name)) {
  RC_ASSERT(taken(print_name(name) + " rest") == name);
}

}  // namespace
}  // namespace dovetail
