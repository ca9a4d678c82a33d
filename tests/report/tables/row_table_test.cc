// SPDX-License-Identifier: Apache-2.0
#include "report/tables/row_table.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dovetail {
namespace {

struct OtherLog {
  std::optional<double> seconds, ratio;
};
auto fields_of(Of<OtherLog> auto& beside) {
  return std::tuple(Field{"seconds", beside.seconds, Column{"{} (us)", kMicroseconds}},
                    Field{"ratio", beside.ratio, Column{"of {}", digits(2)}});
}

struct Row {
  std::string name = "none";
  std::string layer = {};
  std::optional<double> seconds = {};
  std::vector<std::pair<std::string, std::optional<OtherLog>>> beside = {};
};
auto fields_of(Of<Row> auto& row) {
  return std::tuple(
      Field{"name", or_null(row.layer), Column{"layer"}, Presence::unless_empty},
      Field{"spec", row.name, Column{"operator"}},
      Field{"seconds", row.seconds, Column{"time (us)", kMicroseconds}},
      Field{"", row.name.size(), Column{"letters"}, Presence::not_written},
      Field{"percent", row.seconds, Column{"of all (%)", digits(1, 100), "time (us)"}},
      Field{"beside", row.beside, Column{"", PlainCell(), "letters"}, Presence::unless_empty},
      Field{"seed", 7});
}

TEST(RowTable, HasTheColumnsAndTheJsonOfOneList) {
  const std::vector<Row> rows = {{.name = "gmm", .seconds = 0.25}, {.name = "c2d"}};
  EXPECT_EQ(print(table_of(rows)),
            "operator  of all (%)  time (us)  letters\n"
            "gmm             25.0     250000        3\n"
            "c2d                -          -        3\n");
  EXPECT_EQ(json_of(rows), R"([{"spec":"gmm","seconds":0.25,"percent":0.25,"seed":7},)"
                           R"({"spec":"c2d","seconds":null,"percent":null,"seed":7}])");
}

TEST(RowTable, LeavesOutAColumnThatAllRowsLack) {
  const std::vector<Row> rows = {{.name = "gmm", .layer = "fc"}, {.name = "c2d"}};
  EXPECT_EQ(print(table_of(rows)).substr(0, 15), "layer  operator");
}

TEST(RowTable, NamesTheColumnsOfAMapByIt) {
  const std::vector<Row> rows = {
      {.beside = {{"old", OtherLog{.seconds = 2e-6, .ratio = 1.5}}, {"new", std::nullopt}}}};
  EXPECT_EQ(print(table_of(rows)),
            "operator  of all (%)  time (us)  old (us)  of old  new (us)  of new  letters\n"
            "none               -          -     2.000    1.50         -       -        4\n");
  EXPECT_NE(json_of(rows).find(R"("beside":{"old":{"seconds":2e-06,"ratio":1.5},"new":null})"),
            std::string::npos);
}

TEST(RowTable, HasAHeaderWithoutRows) {
  EXPECT_EQ(print(table_of(std::vector<Row>())), "operator  of all (%)  time (us)  letters\n");
}

}  // namespace
}  // namespace dovetail
