// SPDX-License-Identifier: Apache-2.0
#include "report/tables/data_table.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

TEST(DataTable, AlignsItsColumns) {
  DataTable table{.columns = {{"operator"}, {"best (us)", kNumber}, {"record"}}};
  table.rows = {{text_cell("gmm:m=512"), microseconds_cell(0.00101), text_cell("a#1.2")},
                {text_cell("c2d"), microseconds_cell(std::nullopt), text_cell("-")}};
  EXPECT_EQ(print(table),
            "operator   best (us)  record\n"
            "gmm:m=512       1010  a#1.2\n"
            "c2d                -  -\n");
}

TEST(DataTable, CountsLettersAndNotBytes) {
  DataTable table{.columns = {{"name"}, {"n", kNumber}}};
  table.rows = {{text_cell("µ-kernel"), count_cell(1)}, {text_cell("12345678"), count_cell(2)}};
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
  EXPECT_EQ(significant_cell(std::nullopt).text, "–");
  EXPECT_EQ(number_cell(std::optional(87.12), 1).text, "87.1");
}

TEST(DataTable, OnAPageSpecsStandBelowNamesAndElsewhereBesideThem) {
  DataTable table{.columns = {{"name"}, {"task", kBelow}, {"best", kNumber}}};
  table.rows = {{text_cell("conv1"), text_cell("c2d:ci=3,co=8"), number_cell(0.5, "0.5")}};
  const std::string html = to_html(table);
  EXPECT_NE(html.find("<td class=\"name\">conv1<small>c2d:ci=3,<wbr/>co=8</small></td><td "),
            std::string::npos)
      << html;
  EXPECT_EQ(html.find("<th>task</th>"), std::string::npos) << html;
  EXPECT_EQ(to_csv(table), "name,task,best\nconv1,\"c2d:ci=3,co=8\",0.5\n");
}

}  // namespace
}  // namespace dovetail
