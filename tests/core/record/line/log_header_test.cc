// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/log_header.h"

#include <gtest/gtest.h>

#include "core/record/line/log_line.h"
#include "tests/core/record/record_samples.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::sample_header;

Result<LogHeader> header_read_back(const LogHeader& header) {
  return parse_header(TRY(open_line(print(header))));
}

TEST(LogHeader, ParsesWhatItPrints) {
  LogHeader header = sample_header();
  header.experiment = R"({"title":"Figure 7","trials":300})";
  header.unknown = {{"cluster", "\"b\""}};
  EXPECT_EQ(*header_read_back(header), header);
}

TEST(LogHeader, PutsAnExperimentOfManyLinesOnOne) {
  LogHeader header = sample_header();
  header.experiment = "{\n  \"trials\": 300\n}\n";
  EXPECT_EQ(print(header).find('\n'), std::string::npos);
  EXPECT_EQ(header_read_back(header)->experiment, R"({"trials":300})");
}

TEST(LogHeader, KeepsTheTypesOfOptions) {
  LogHeader header = sample_header();
  header.options = {{"a", 2.0}, {"b", int64_t{2}}, {"c", "2"}, {"d", true}, {"e", 1e300}};
  EXPECT_EQ(header_read_back(header)->options, header.options);
}

TEST(LogHeader, OfANewerSchemaIsRefusedAndSaysWhatToDo) {
  const std::string newer = R"({"schema":2,"tool":"dovetail 9"})";
  EXPECT_ERROR(
      parse_header(newer),
      "schema 2 is newer than this program's 1; use the version of dovetail that wrote it");
  EXPECT_TRUE(is_newer_schema(newer));
  EXPECT_FALSE(is_newer_schema(*open_line(print(sample_header()))));
}

TEST(LogHeader, RefusesWrongFieldsNamingThem) {
  EXPECT_ERROR(parse_header(R"({"schema":"one"})"), "field schema: found \"one\"");
  EXPECT_ERROR(parse_header(R"({"schema":0})"), "field schema: found 0");
  EXPECT_ERROR(parse_header(R"({"schema":1})"), "field tool: missing");
  std::string object = *open_line(print(sample_header()));
  object.replace(object.find("\"trials\":300"), 12, "\"trials\":null");
  EXPECT_ERROR(parse_header(object), "field options.trials: found null");
}

TEST(LogHeader, SaysWhichOptionsDiffer) {
  LogHeader now = sample_header();
  EXPECT_TRUE(differences(sample_header(), now).empty());
  now.options["trials"] = int64_t{500};
  now.options.erase("seconds");
  now.options["patience"] = int64_t{20};
  now.seed = 7;
  now.device.name = "Intel Xeon";
  now.tool = "dovetail 0.2.0";
  now.id = "another";
  EXPECT_EQ(differences(sample_header(), now),
            (std::vector<std::string>{
                "device name is AMD EPYC 9575F in the log, Intel Xeon now",
                "seed is 0 in the log, 7 now",
                "option patience is not set in the log, 20 now",
                "option seconds is 12.5 in the log, not set now",
                "option trials is 300 in the log, 500 now",
            }));
}

TEST(LogHeader, StartedNowHasAnIdOfItsOwn) {
  const LogHeader a = started_now(sample_header());
  const LogHeader b = started_now(sample_header());
  EXPECT_EQ(a.id.size(), 16u);
  EXPECT_NE(a.id, b.id);
  EXPECT_EQ(a.started.size(), std::string("2026-11-20T08:15:00Z").size());
}

}  // namespace
}  // namespace dovetail
