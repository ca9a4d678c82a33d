// SPDX-License-Identifier: Apache-2.0
#include "core/record/export/measured_space.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/record/gzip.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

MeasuredSpace two_points() {
  MeasuredSpace space{.task = "gmm:m=64,n=64,k=64",
                      .target = "cpu",
                      .space = "reduced",
                      .tool = "dovetail 0.1.0",
                      .parameters = {"R.n", "R.m"}};
  space.points = {{.values = {16, 7},
                   .trace_hash = 0xc0ffee,
                   .seconds = 0.00101,
                   .first_seconds = 0.00099,
                   .build_seconds = 0.008,
                   .check_seconds = 0.001,
                   .run_seconds = 0.02},
                  {.values = {32, 4},
                   .trace_hash = 0xffff'ffff'ffff'fffe,
                   .status = Status::build_error,
                   .build_seconds = 0.004}};
  EXPECT_TRUE(space.index().has_value());
  return space;
}

bool same(const MeasuredSpace& a, const MeasuredSpace& b) {
  return a.task == b.task && a.target == b.target && a.space == b.space && a.tool == b.tool &&
         a.parameters == b.parameters && a.points == b.points && a.by_trace == b.by_trace;
}

TEST(MeasuredSpace, PrintsAsT4) { EXPECT_GOLDEN(print_t4(two_points()), "core/record/t4"); }

TEST(MeasuredSpace, ParsesWhatItPrints) {
  EXPECT_TRUE(same(*parse_t4(print_t4(two_points())), two_points()));
}

TEST(MeasuredSpace, FindsPointsByTheirTraces) {
  const MeasuredSpace space = two_points();
  EXPECT_EQ(space.find(0xc0ffee)->values, (std::vector<int64_t>{16, 7}));
  EXPECT_EQ(space.find(1), nullptr);
}

TEST(MeasuredSpace, RefusesTwoPointsWithOneTrace) {
  MeasuredSpace space = two_points();
  space.points[1].trace_hash = 0xc0ffee;
  EXPECT_ERROR(space.index(), "points 1 and 2 have one trace, 0000000000c0ffee");
}

TEST(MeasuredSpace, APointKeepsWhatItsMeasurementSaidInAFewDigits) {
  MeasureResult result;
  result.seconds = 0.00101234567;
  result.times = {.build_seconds = 0.0123456, .run_seconds = 0.2, .check_seconds = 0.0009876};
  MeasureResult ok = result;
  ok.status = Status::ok;
  const PointResult point = measured_point({1}, 7, ok);
  EXPECT_DOUBLE_EQ(point.seconds, 0.0010123);
  EXPECT_DOUBLE_EQ(point.build_seconds, 0.0123);
  EXPECT_DOUBLE_EQ(point.check_seconds, 0.000988);
  EXPECT_EQ(measured_point({1}, 7, result).seconds, 0);  // it failed
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(MeasuredSpace, SaysWhatIsWrongInOneLine) {
  const std::string text = print_t4(two_points());
  EXPECT_ERROR(parse_t4("{\"a\""), "not a JSON object, expected T4");
  EXPECT_ERROR(parse_t4("{}"), "T4: field schema_version: missing; expected a string");
  EXPECT_ERROR(parse_t4(replaced(text, "1.0.0", "2.0.0")), "schema_version: found '2.0.0'");
  EXPECT_ERROR(parse_t4(replaced(text, "seconds", "hours")),
               "timeunit: found 'hours', expected seconds");
  EXPECT_ERROR(
      parse_t4(replaced(text, "\"R.m\":4", "\"R.k\":4")),
      "results[1].configuration.parameter 2: found R.k, expected R.m as in the first point");
  EXPECT_ERROR(
      parse_t4(replaced(text, ",\"R.m\":4", "")),
      "results[1].configuration.parameter 2: found none, expected R.m as in the first point");
  EXPECT_ERROR(parse_t4(replaced(text, "\"R.n\":16", "\"R.n\":1.5")),
               "results[0].configuration.R.n: found 1.5, expected an integer");
  EXPECT_ERROR(parse_t4(replaced(text, "0000000000c0ffee", "c0ffee")),
               "field results[0].trace_hash: found 'c0ffee', expected 16 hex digits");
  EXPECT_ERROR(parse_t4(replaced(text, "\"status\":\"ok\"", "\"status\":\"good\"")),
               "field results[0].status: ");
  EXPECT_ERROR(parse_t4(replaced(text, "\"compilation\":0.008", "\"compilation\":-1")),
               "field results[0].times.compilation: expected seconds, finite and not below 0");
  EXPECT_ERROR(parse_t4(replaced(text, "0.00101", "0")),
               "field results[0].measurements: status ok without a time, expected one over 0");
  EXPECT_ERROR(parse_t4(replaced(text, "\"name\":\"time\"", "\"name\":\"energy\"")),
               "field results[0].measurements: no time, expected one");
}

class MeasuredSpaceFile : public ::testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.path(name); }

 private:
  const testing::TemporaryFolder folder_;
};

TEST_F(MeasuredSpaceFile, ReadsWhatItWrote) {
  ASSERT_TRUE(write_measured_space(path("a.json.gz"), two_points()).has_value());
  EXPECT_TRUE(same(*read_measured_space(path("a.json.gz")), two_points()));
}

TEST_F(MeasuredSpaceFile, ReadsOneThatIsNotCompressed) {
  std::ofstream(path("plain.json")) << print_t4(two_points());
  EXPECT_TRUE(same(*read_measured_space(path("plain.json")), two_points()));
}

TEST_F(MeasuredSpaceFile, NamesTheFileThatIsWrong) {
  EXPECT_ERROR(read_measured_space(path("none")), "cannot read " + path("none"));
  EXPECT_ERROR(read_measured_space(path(".")), "is a folder, expected a measured space");
  const std::string bytes = gzip(print_t4(two_points()));
  std::ofstream(path("cut.json.gz")) << bytes.substr(0, bytes.size() / 2);
  EXPECT_ERROR(read_measured_space(path("cut.json.gz")),
               path("cut.json.gz") + ": gzip data that is cut off");
}

TEST_F(MeasuredSpaceFile, AFolderThatCannotBeWrittenToIsAnError) {
  EXPECT_ERROR(write_measured_space("/dev/null/a.json.gz", two_points()), "cannot write /dev/null");
}

TEST_F(MeasuredSpaceFile, HoldsFiveThousandPointsInLessThanHalfAMegabyte) {
  MeasuredSpace space = two_points();
  space.parameters.clear();
  space.points.clear();
  for (int k = 0; k < 25; ++k) space.parameters.push_back("parameter." + std::to_string(k));
  uint64_t noise = 1;
  for (int k = 0; k < 5'000; ++k) {
    noise = noise * 6364136223846793005U + 1442695040888963407U;
    PointResult point{.trace_hash = noise, .seconds = 1e-4 + 1e-8 * (noise >> 50)};
    for (int p = 0; p < 25; ++p) point.values.push_back((k >> p) % 4);
    point.build_seconds = 1e-4 * ((noise >> 20) % 1000);
    space.points.push_back(std::move(point));
  }
  ASSERT_TRUE(space.index().has_value());
  ASSERT_TRUE(write_measured_space(path("big.json.gz"), space).has_value());
  EXPECT_LT(std::filesystem::file_size(path("big.json.gz")), 500'000U);
  EXPECT_TRUE(same(*read_measured_space(path("big.json.gz")), space));
}

}  // namespace
}  // namespace dovetail
