// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/isolated_call.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <string>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(IsolatedCall, GivesTheBytesBack) {
  const std::string large(1 << 20, '\0');
  EXPECT_EQ(*run_isolated("it", 10, [&] { return large + "end"; }), large + "end");
  EXPECT_EQ(*run_isolated("it", 10, [] { return std::string(); }), "");
}

TEST(IsolatedCall, KeepsChangesToItself) {
  int value = 1;
  EXPECT_EQ(*run_isolated("it", 10, [&] { return std::to_string(++value); }), "2");
  EXPECT_EQ(value, 1);
}

TEST(IsolatedCall, TurnsEveryEndIntoALine) {
  EXPECT_ERROR(run_isolated("it", 10, []() -> std::string { throw std::runtime_error("why"); }),
               "it: why");
  EXPECT_ERROR(run_isolated("it", 10,
                            []() -> std::string {
                              raise(SIGKILL);
                              return "";
                            }),
               "it failed on it (Killed)");
  EXPECT_ERROR(run_isolated("it", 10, []() -> std::string { _Exit(3); }), "it failed on it");
}

TEST(IsolatedCall, EndsWhatDoesNotEnd) {
  EXPECT_ERROR(run_isolated("it", 1,
                            []() -> std::string {
                              while (true) asm volatile("");
                            }),
               "it failed on it");
}

}  // namespace
}  // namespace dovetail
