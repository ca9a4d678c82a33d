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

}  // namespace
}  // namespace dovetail
