// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"

#include <gtest/gtest.h>

#include <string>

namespace dovetail {
namespace {

TEST(Check, DoesNothingWhenTheConditionHolds) {
  int evaluations = 0;
  const auto message = [&] {
    ++evaluations;
    return std::string("unused");
  };
  CHECK(true);
  CHECK(1 + 1 == 2, message());
  EXPECT_EQ(evaluations, 0) << "the message is built only on failure";
}

TEST(CheckDeathTest, NamesFileConditionAndMessage) {
  const int found = 3;
  EXPECT_DEATH(CHECK(found == 4),
               "tests/core/base/check_test.cc:[0-9]+: CHECK failed: found == 4\n");
  EXPECT_DEATH(CHECK(found == 4, "found " + std::to_string(found)), "found == 4: found 3\n");
}

}  // namespace
}  // namespace dovetail
