// SPDX-License-Identifier: Apache-2.0
#pragma once

// EXPECT_ERROR(result, "text"): the Result is an error whose message contains the text, on one
// line.
//
//   EXPECT_ERROR(parse_operator("c2d:ci=x"), "ci");

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace dovetail::testing {

template <typename ResultType>
::testing::AssertionResult is_error_with(const ResultType& result, std::string_view text) {
  if (result.has_value()) {
    return ::testing::AssertionFailure()
           << "expected an error with \"" << text << "\", got a value";
  }
  const std::string& message = result.error().message;
  if (message.find(text) == std::string::npos) {
    return ::testing::AssertionFailure()
           << "expected an error with \"" << text << "\", got: " << message;
  }
  if (message.find('\n') != std::string::npos) {
    return ::testing::AssertionFailure() << "expected a message of one line, got: " << message;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace dovetail::testing

#define EXPECT_ERROR(result, text) EXPECT_TRUE(::dovetail::testing::is_error_with((result), (text)))
#define ASSERT_ERROR(result, text) ASSERT_TRUE(::dovetail::testing::is_error_with((result), (text)))
