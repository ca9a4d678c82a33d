// SPDX-License-Identifier: Apache-2.0
#include "core/base/keyed_lines.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

TEST(KeyedLines, AreTakenInOrderAndLeaveTheRest) {
  KeyedLines lines("title of it\nrows 43\n\x01\n", "saved thing");
  EXPECT_EQ(*lines.take("title"), "of it");
  EXPECT_EQ(*lines.take_count("rows"), 43);
  EXPECT_EQ(lines.rest(), "\x01\n");
}

TEST(KeyedLines, SayWhatWasFoundAndExpectedOnOneLine) {
  EXPECT_ERROR(KeyedLines("\x7f"
                          "ELF\x02\nrows 1\n",
                          "saved thing")
                   .take("rows"),
               "no saved thing: expected a line 'rows …', found '?ELF?'");
  EXPECT_ERROR(KeyedLines("rows 4", "saved thing").take("rows"), "found 'rows 4'");  // torn
  EXPECT_ERROR(KeyedLines("rowsize 4\n", "saved thing").take("rows"), "found 'rowsize 4'");
  EXPECT_ERROR(KeyedLines("", "saved thing").take("rows"), "found ''");
  EXPECT_ERROR(KeyedLines("rows -4\n", "saved thing").take_count("rows"),
               "saved thing: rows is '-4', expected a count");
  EXPECT_ERROR(KeyedLines("rows many\n", "saved thing").take_count("rows"), "rows is 'many'");
}

}  // namespace
}  // namespace dovetail
