// SPDX-License-Identifier: Apache-2.0
#pragma once

// Golden texts: what a printer gives is compared with a file that a reviewer has read.
//
//   EXPECT_GOLDEN(print(nest), "primitives/c2d_nest");      // tests/golden/primitives/c2d_nest.txt
//
// With --update-golden on the command line of a test program, or DOVETAIL_UPDATE_GOLDEN=1 in its
// environment (as under ctest), the files are rewritten instead; the diff of the file is then the
// diff of the behaviour. On a mismatch the first lines that differ are shown with some context.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace dovetail::testing {

// `path` is relative to tests/golden/, without ".txt".
::testing::AssertionResult matches_golden(std::string_view actual, std::string_view path);

void set_update_golden(bool update);

// The top of the repository and of the build folder.
std::filesystem::path source_dir();
std::filesystem::path binary_dir();

// The text of a file of the repository; a test failure and an empty text when there is none.
std::string source_file(std::string_view path);

// The lines where two texts differ, with two lines of context: "  same", "- expected", "+ actual".
std::string line_diff(std::string_view expected, std::string_view actual);

}  // namespace dovetail::testing

#define EXPECT_GOLDEN(actual, path) \
  EXPECT_TRUE(::dovetail::testing::matches_golden((actual), (path)))
