// SPDX-License-Identifier: Apache-2.0
#include "report/tables/table.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(Table, AlignsItsColumns) {
  Table table({{"operator", Align::left}, {"best (us)"}, {"record", Align::left}});
  table.add_row({"gmm:m=512", microseconds(0.00101), "a#1.2"});
  table.add_row({"c2d", microseconds(std::nullopt), "-"});
  EXPECT_EQ(print(table),
            "operator   best (us)  record\n"
            "gmm:m=512       1010  a#1.2\n"
            "c2d                -  -\n");
}

TEST(Table, CountsLettersAndNotBytes) {
  Table table({{"name", Align::left}, {"n"}});
  table.add_row({"µ-kernel", "1"});
  table.add_row({"12345678", "2"});
  EXPECT_EQ(print(table), "name      n\nµ-kernel  1\n12345678  2\n");
}

TEST(Significant, HasFourDigits) {
  EXPECT_EQ(significant(0.0), "0");
  EXPECT_EQ(significant(265.849), "265.8");
  EXPECT_EQ(significant(1010.2), "1010");
  EXPECT_EQ(significant(123456.0), "123456");
  EXPECT_EQ(significant(0.00123456), "0.001235");
  EXPECT_EQ(significant(1.23456e-7), "1.235e-07");
  EXPECT_EQ(significant(-2.5), "-2.500");
  EXPECT_EQ(significant(std::nullopt), "-");
  EXPECT_EQ(percent(0.8712), "87.1");
}

}  // namespace
}  // namespace dovetail
