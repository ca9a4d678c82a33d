// SPDX-License-Identifier: Apache-2.0
#pragma once

// Network: tests of a small model that is tuned, and of its network.
//
//   TEST_F(Network, …) { tune({"--total-trials", "40"}); run("joint")["recorded"] }

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/models/network_builder.h"
#include "tests/models/onnx_export.h"
#include "tests/tools/run_program.h"

namespace dovetail::testing {

// A pooling and a Tanh between two convolutions, which want blocks of channels and pad no row of
// twelve or six.
inline Graph small_network() {
  NetworkBuilder net("net", 18);
  TensorId x = net.input("x", {1, 16, 12, 12});
  x = net.convolution("c1", x, {16, {3, 3}, {1, 1}, {1, 1}});
  x = net.max_pool("pool", x, {16, {2, 2}, {2, 2}, {0, 0}});
  x = net.tanh("tanh", x);
  x = net.convolution("c2", x, {32, {1, 1}, {1, 1}, {0, 0}});
  return net.finish({net.max_pool("last", x, {32, {2, 2}, {2, 2}, {0, 0}})});
}

class Network : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
    ASSERT_TRUE(export_onnx(small_network(), folder_.path("net.onnx")));
  }

  ProgramRun tune(std::vector<std::string> more) {
    std::vector<std::string> arguments{"tune",  "net.onnx", "--schedule", "gradient",
                                       "--log", "a.jsonl",  "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, folder_);
  }

  nlohmann::json run(const std::string& variant) {
    const ProgramRun run = run_dovetail(
        {"run", "net.onnx", "--log", "a.jsonl", "--variant", variant, "--json"}, folder_);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run.out)["rows"][0];
  }

  TemporaryFolder folder_;
};

}  // namespace dovetail::testing
