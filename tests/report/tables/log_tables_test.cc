// SPDX-License-Identifier: Apache-2.0
#include "report/tables/log_tables.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

LogHeader header_of(int64_t campaign, const std::string& model, const std::string& spec) {
  LogHeader header;
  header.campaign = campaign;
  header.id = model;
  header.target = "cpu";
  header.workloads = {model};
  header.layers = {{"fc", spec, 2}};
  return header;
}

TEST(NetworksOfLogs, AreNamedByTheirModelsWhereThereAreSeveral) {
  Log log;
  log.headers = {header_of(1, "models/net.onnx", "gmm:m=8,n=8,k=8")};
  EXPECT_EQ(networks_of(std::vector{log}, {}).front().front().model, "");
  log.headers.push_back(header_of(2, "other.onnx", "gmm:m=16,n=8,k=8"));
  const std::string text = best_table({}, networks_of(std::vector{log}, {}));
  EXPECT_NE(text.find("2 of 2 regions of net.onnx have"), std::string::npos) << text;
  EXPECT_NE(text.find("2 of 2 regions of other.onnx have"), std::string::npos) << text;
}

constexpr const char* kProduct = "gmm:m=8,n=8,k=8";

Record trial_of(int64_t trial, double seconds) {
  Record record;
  record.trial = trial;
  record.task = kProduct;
  record.target = "cpu";
  record.is_default = trial == 1;
  record.result.status = Status::ok;
  record.result.seconds = seconds;
  record.result.samples = {seconds};
  return record;
}

Log log_of(const std::string& path, double default_seconds, double best_seconds) {
  Log log;
  log.path = path;
  log.headers = {header_of(1, "net.onnx", kProduct)};
  log.records = {trial_of(1, default_seconds), trial_of(2, best_seconds)};
  return log;
}

TEST(BestOfLogs, StandsBesideTheDefaultOfItsOwnCampaign) {
  const Log slow = log_of("slow.jsonl", 9e-6, 6e-6), fast = log_of("fast.jsonl", 7e-6, 5e-6);
  for (const std::vector<Log>& logs : {std::vector{slow, fast}, std::vector{fast, slow}}) {
    const std::vector<BestRow> rows = best_rows(logs);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].log, "fast.jsonl");
    EXPECT_EQ(rows[0].default_seconds, 7e-6);
    EXPECT_EQ(rows[0].trials, 4);
  }
}

// Tasks that layouts add have no nodes, and differ between campaigns of one network.
TEST(NetworksOfLogs, AreSaidOnceWhereTheyComeToTheSame) {
  std::vector<Log> logs{log_of("one.jsonl", 9e-6, 6e-6), log_of("two.jsonl", 7e-6, 5e-6)};
  logs[1].headers[0].layers.push_back({"convert", "Y[i]=X[i]:i=8", 0});
  const std::vector<BestRow> rows = best_rows(logs);
  EXPECT_EQ(networks_of(logs, rows).size(), 1u);
  logs[1].headers[0].layers[0].nodes = 3;
  EXPECT_EQ(networks_of(logs, rows).size(), 2u);
}

}  // namespace
}  // namespace dovetail
