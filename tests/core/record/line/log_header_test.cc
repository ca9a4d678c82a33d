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
  header.layers = {{"conv1", "gmm:m=512,n=512,k=512", 3}, {"fc", "gmm:m=1,n=9,k=9", 1, "net.onnx"}};
  header.workloads = {"net.onnx"};
  header.shapes = {"x=1,3,8,8"};
  header.constants = {"rate=16000"};
  header.machine = Machine{.peak_gflops = 71.5,
                           .levels = {{32768, 3e11}, {std::nullopt, 1e10}},
                           .streams = {{4096, 8192, 2e10}}};
  EXPECT_EQ(*header_read_back(header), header);
}

TEST(LogHeader, RefusesAMachineThatCannotBe) {
  LogHeader header = sample_header();
  header.machine = Machine{.levels = {{.bytes_per_second = 0}}};
  EXPECT_ERROR(header_read_back(header), "bytes_per_second");
  header.machine = Machine{.peak_gflops = 1e300};
  EXPECT_ERROR(header_read_back(header), "peak_gflops");
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
  const std::string newer = R"({"schema":3,"tool":"dovetail 9"})";
  EXPECT_ERROR(
      parse_header(newer),
      "schema 3 is newer than this program's 2; use the version of dovetail that wrote it");
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
  now.options["strategy"] = "ppo";
  now.options.erase("default");
  now.options["cache"] = "cold";
  now.seed = 7;
  now.device.name = "Intel Xeon";
  now.tool = "dovetail 0.2.0";
  now.id = "another";
  EXPECT_EQ(differences(sample_header(), now),
            (std::vector<std::string>{
                "device name is AMD EPYC 9575F in the log, Intel Xeon now",
                "seed is 0 in the log, 7 now",
                "option cache is not set in the log, \"cold\" now",
                "option default is true in the log, not set now",
                "option strategy is \"random\" in the log, \"ppo\" now",
            }));
}

TEST(LogHeader, OfAStrategysOptionsSaysOnlyThoseThatDiffer) {
  LogHeader in_log = sample_header(), now = sample_header();
  in_log.options["strategy"] = "dovetail:centres=3,pool=8,samples=256";
  now.options["strategy"] = "dovetail:centres=3,pool=8,samples=512";
  EXPECT_EQ(differences(in_log, now),
            std::vector<std::string>{"option strategy is \"dovetail:samples=256\" in the log, "
                                     "\"dovetail:samples=512\" now"});
}

TEST(LogHeader, OfACampaignThatGrowsMayHaveOtherLimitsAndMoreTasks) {
  LogHeader in_log = sample_header(), now = sample_header();
  in_log.options["tasks"] = std::vector<std::string>{"a", "b"};
  now.options["tasks"] = std::vector<std::string>{"b", "c", "a"};
  now.options["trials"] = int64_t{500};
  now.options.erase("seconds");
  now.options["schedule"] = "gradient";
  now.layers = {{"conv1", "a"}};
  EXPECT_TRUE(differences(in_log, now).empty());
  EXPECT_EQ(differences(now, in_log),
            std::vector<std::string>{"task c is in the log, and not among those now"});
  in_log.options["agent_goes_on"] = now.options["agent_goes_on"] = true;
  EXPECT_EQ(differences(in_log, now).size(), 4u);  // then all of them decide
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
