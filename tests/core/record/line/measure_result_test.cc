// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/measure_result.h"

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

TEST(MeasureTimes, AreAddedPartByPart) {
  MeasureTimes sum{1, 2, 3, 4, 5};
  sum += MeasureTimes{.build_seconds = 10,
                      .run_seconds = 20,
                      .check_seconds = 30,
                      .search_seconds = 40,
                      .model_seconds = 50};
  EXPECT_EQ(sum, (MeasureTimes{11, 22, 33, 44, 55}));
  EXPECT_EQ(total(sum), 165);
}

}  // namespace
}  // namespace dovetail
