// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/fields.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "tests/support/expect_error.h"

namespace dovetail::fields_test {

struct Corner {
  int64_t row = 0, column = 0;
};
auto fields_of(Of<Corner> auto& corner) { return std::tie(corner.row, corner.column); }

struct Move {
  int64_t step = 1;
  std::string axis = {};
  double share = 0;
  std::optional<double> gain = {};
  std::optional<int64_t> again = {};
  Status status = Status::ok;
  std::vector<Corner> corners = {};
  std::map<std::string, std::vector<double>> times = {};
};
auto fields_of(Of<Move> auto& move) {
  return std::tuple(Field{"step", move.step, AtLeast{1}}, Field{"axis", move.axis},
                    Field{"share", move.share, Within{0, 1}}, Field{"gain", move.gain},
                    Field{"again", move.again, AnyValue{}, Presence::unless_empty},
                    Field{"status", move.status}, Field{"corners", move.corners},
                    Field{"times", move.times});
}

namespace {

constexpr const char* kMove = R"({"step":2,"axis":"h","share":0.5,"gain":null,"status":"timeout",)"
                              R"("corners":[[1,2],[3,4]],"times":{"run":[1.0,2.5]}})";

Result<Move> parse_move(std::string_view text, Reals reals = Reals::quoted) {
  JsonFields json = TRY(JsonFields::parse(text));
  Move move;
  read_fields(json, fields_of(move), reals);
  TRY(json.check());
  return move;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Fields, ReadWhatTheyWrite) {
  const Result<Move> move = parse_move(kMove);
  ASSERT_TRUE(move) << move.error().message;
  EXPECT_EQ(move->corners[1].row, 3);
  EXPECT_EQ(json_of(*move), kMove);
  const std::string again = with(kMove, R"("status")", R"("again":7,"status")");
  EXPECT_EQ(json_of(*parse_move(again)), again);
}

TEST(Fields, NameTheMistakeAndItsPlace) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"\"step\":2", "\"step\":0", "field step: found 0, expected an integer of 1 or more"},
      {"\"step\":2,", "", "field step: missing; expected an integer of 1 or more"},
      {"0.5", "1.5", "field share: found 1.5, expected a number from 0 to 1"},
      {"[3,4]", "[3,\"b\"]", "field corners[1][1]: found \"b\", expected an integer"},
      {"[3,4]", "[3]", "field corners[1][1]: missing; expected an integer"},
      {"[3,4]", "[3,4,5]", "field corners[1][2]: expected no more"},
      {"2.5", "true", "field times.run[1]: found true, expected a number"},
      {"timeout", "late", "field status: status \"late\" is unknown"},
      {"\"status\"", "\"again\":null,\"status\"", "field again: found null, expected an integer"},
  };
  for (const auto& [from, to, message] : cases) {
    EXPECT_ERROR(parse_move(with(kMove, from, to)), message);
  }
}

TEST(Fields, SayHowANumberIsWrittenThatJsonLacks) {
  const Move move{.times = {{"run", {NAN, 1.0 / 3}}}};
  EXPECT_NE(json_of(move).find(R"(["nan",0.333)"), std::string::npos);
  EXPECT_TRUE(parse_move(json_of(move)));
  const std::string rough = json_of(move, Reals::six_digits);
  EXPECT_NE(rough.find("[null,0.333333]"), std::string::npos);
  EXPECT_TRUE(std::isnan(parse_move(rough, Reals::six_digits)->times["run"][0]));
  EXPECT_ERROR(parse_move(json_of(move, Reals::finite), Reals::finite),
               "field times.run[0]: found null, expected a number");
  EXPECT_ERROR(parse_move(json_of(move), Reals::finite), "field times.run[0]: found \"nan\"");
}

}  // namespace
}  // namespace dovetail::fields_test
