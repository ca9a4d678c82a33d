// SPDX-License-Identifier: Apache-2.0
#include "core/record/measure_result.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(Status, ParsesWhatItPrints) {
  for (Status status : kStatuses) {
    const auto parsed = parse_status(print(status));
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(*parsed, status);
  }
}

TEST(Status, HasTheWordsOfTheDesign) {
  std::string words;
  for (Status status : kStatuses) words += std::string(print(status)) + " ";
  EXPECT_EQ(words,
            "ok build_error run_error timeout wrong_output out_of_bounds device_limit impossible "
            "worker_lost ");
}

TEST(Status, RefusesAnUnknownWordAndSaysWhichItKnows) {
  EXPECT_ERROR(parse_status("fine"),
               "status \"fine\" is unknown; expected one of ok, build_error,");
}

}  // namespace
}  // namespace dovetail
