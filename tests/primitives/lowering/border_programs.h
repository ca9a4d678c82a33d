// SPDX-License-Identifier: Apache-2.0
//
// For tests of passes over programs: programs from text, and the check that a pass preserves the
// results.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/ir/program/program.h"

namespace dovetail::testing {

Program parsed_program(const std::string& text);  // a wrong text ends the test program

// Both programs verify, and leave the same in Y for the same X and W, whose elements are small
// integers.
::testing::AssertionResult same_output(const Program& before, const Program& after);

// It draws convolution nests that read X as it is, with a bound for each row and column: any
// extents, strides, dilations and tiles, with and without registers, window loops serial or
// unrolled.
Program draw_bounded_convolution();  // inside a property

}  // namespace dovetail::testing
