// SPDX-License-Identifier: Apache-2.0
//
// EXPECT_TRUE(same_as_interpreter(text)): compiled for this host, the program computes in every
// buffer exactly what the interpreter does, NaN where that has NaN.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "core/ir/target.h"

namespace dovetail::testing {

// Runs each kernel in `parts` calls. Values may differ by `tolerance` times the larger one.
::testing::AssertionResult same_as_interpreter(std::string_view text, int parts = 1,
                                               double tolerance = 0);

// The same for another target, whose code this host must be able to run.
::testing::AssertionResult same_as_interpreter_on(const Target& target, std::string_view text,
                                                  int parts = 1, double tolerance = 0);

}  // namespace dovetail::testing
