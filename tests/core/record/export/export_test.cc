// SPDX-License-Identifier: Apache-2.0
#include "core/record/export/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/core/record/record_samples.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::sample_failure;
using testing::sample_header;
using testing::sample_sentinel;
using testing::sample_trial;

std::vector<Log> logs_of(std::vector<Record> records) {
  Log log;
  log.path = "tune.jsonl";
  log.headers = {sample_header()};
  log.records = std::move(records);
  return {log};
}

TEST(ExportT4, HasTheKeysOfKernelTunersWriter) {
  const Json t4 = Json::parse(export_t4(logs_of({sample_trial(2), sample_sentinel(2)})));
  EXPECT_EQ(t4["schema_version"], "1.0.0");
  EXPECT_EQ(t4["metadata"]["timeunit"], "milliseconds");
  ASSERT_EQ(t4["results"].size(), 1u);
  const Json& result = t4["results"][0];
  EXPECT_EQ(result["timestamp"], "2026-11-20T08:15:00.500000+00:00");
  EXPECT_EQ(result["configuration"], (Json{{"task", "gmm:m=512,n=512,k=512"},
                                           {"target", "cpu"},
                                           {"trace", sample_trial(2).trace.text()}}));
  EXPECT_EQ(result["times"], (Json{{"compilation", 9},
                                   {"benchmark", 30},
                                   {"framework", 0},
                                   {"search_algorithm", 0},
                                   {"validation", 2},
                                   {"runtimes", {0.55, 0.5, 0.45}}}));
  EXPECT_EQ(result["invalidity"], "correct");
  EXPECT_EQ(result["correctness"], 1);
  EXPECT_EQ(result["measurements"],
            (Json::array({{{"name", "time"}, {"value", 0.5}, {"unit", "ms"}}})));
  EXPECT_EQ(result["objectives"], Json::array({"time"}));
}

TEST(ExportT4, SaysWhyATrialHasNoTime) {
  Record wrong = sample_failure(2);
  wrong.result.status = Status::wrong_output;
  const Json t4 = Json::parse(export_t4(logs_of({sample_failure(1), wrong})));
  EXPECT_EQ(t4["results"][0]["invalidity"], "timeout");
  EXPECT_EQ(t4["results"][0]["correctness"], 0);
  EXPECT_EQ(t4["results"][0]["measurements"][0]["value"], "RuntimeFailedConfig");
  EXPECT_EQ(t4["results"][1]["invalidity"], "correctness");
  EXPECT_EQ(t4["results"][1]["correctness"], 0);
}

TEST(ExportT4, UsesTheSchemasWordsOnly) {
  std::vector<Record> records;
  for (const Status status : kStatuses) {
    records.push_back(sample_failure(int64_t(records.size()) + 1));
    records.back().result.status = status;
  }
  const std::vector<std::string> words = {"timeout",     "compile",     "runtime",
                                          "correctness", "constraints", "correct"};
  const Json exported = Json::parse(export_t4(logs_of(records)));
  for (const Json& result : exported["results"])
    EXPECT_NE(std::ranges::find(words, result["invalidity"].get<std::string>()), words.end());
}

TEST(ExportCsv, HasALineForEveryRecordWithTextsQuoted) {
  Record trial = sample_trial(2);
  trial.trace = "layout \"B\": a, b\n";
  const std::string csv = export_csv(logs_of({trial, sample_failure(3), sample_sentinel(2)}));
  EXPECT_TRUE(csv.starts_with("log,campaign,id,kind,trial,task,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);  // the columns' names, and a line a record
  EXPECT_NE(csv.find("tune.jsonl,1,6f1d0c2b9a8e7f35,trial,2,\"gmm:m=512,n=512,k=512\",cpu,"
                     "AMD EPYC 9575F,ok,5e-04,3,0.00045,0.0,0.0,0.009,0.03,0.002,0.0,0.0,4096,"
                     "random,0,4,0.5,0,hot,,\"layout \"\"B\"\": a, b\\n\"\r\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("timeout,,0,,"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",sentinel,2,"), std::string::npos) << csv;
}

}  // namespace
}  // namespace dovetail
