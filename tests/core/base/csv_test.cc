// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(CsvCell, IsQuotedWhereItsTextAsksForIt) {
  EXPECT_EQ(csv_cell("conv1"), "conv1");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("gmm:m=8,n=8"), "\"gmm:m=8,n=8\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_cell("a;b"), "\"a;b\"");
}

TEST(CsvCell, IsNeverComputed) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("+1-1"), "'+1-1");
  EXPECT_EQ(csv_cell("-2+3"), "'-2+3");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell(" =1"), "' =1");
  EXPECT_EQ(csv_cell("\uFF1D1"), "'\uFF1D1");
  EXPECT_EQ(csv_cell("=cmd|' /C calc'!A0,1"), "\"'=cmd|' /C calc'!A0,1\"");
  EXPECT_EQ(csv_cell("\t=1"), "'\\x09=1");
  EXPECT_EQ(csv_cell("\r=1"), "'\\x0d=1");
}

TEST(CsvCell, LeavesNumbersNumbers) {
  for (const char* number : {"-1.5", "1e-07", "-3", "-inf", "0", "-"})
    EXPECT_EQ(csv_cell(number), number);
}

TEST(CsvCell, HoldsOneLine) { EXPECT_EQ(csv_cell("a\nb\x1b"), "a\\x0ab\\x1b"); }

}  // namespace
}  // namespace dovetail
