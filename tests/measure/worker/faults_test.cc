// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/faults.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(Faults, PrintAndParse) {
  EXPECT_EQ(print(*parse_faults("3=build_crash,7=run_hang")), "3=build_crash,7=run_hang");
  EXPECT_TRUE(parse_faults("")->empty());
  EXPECT_ERROR(parse_faults("3=sneeze"), "expected TRIAL=FAULT with one of build_crash");
  EXPECT_ERROR(parse_faults("run_hang"), "fault run_hang");
}

}  // namespace
}  // namespace dovetail
