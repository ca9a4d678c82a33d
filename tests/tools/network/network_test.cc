// SPDX-License-Identifier: Apache-2.0
// A model is tuned, then its network is assembled and run.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "campaign/run/npy.h"
#include "tests/models/network_builder.h"
#include "tests/models/onnx_export.h"
#include "tests/support/right.h"
#include "tests/tools/network/network_fixture.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_ONNX

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::Network;
using testing::ProgramRun;
using testing::right;
using testing::run_dovetail;

TEST_F(Network, RunsInEachVariant) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const int64_t apart = run("without_propagation")["conversions"];
  for (const char* variant : {"joint", "forward_only", "backward_only"}) {
    const Json row = run(variant);
    EXPECT_EQ(row["variant"], variant);
    EXPECT_TRUE(row["right"]);
    EXPECT_LT(row["conversions"], apart) << variant;
  }
}

// The commands that run and build the network come first, and the page is not called a.jsonl.html.
TEST_F(Network, IsWhatTuneSaysToRunNext) {
  const ProgramRun tuned = run_dovetail(
      {"tune", "net.onnx", "--log", "a.jsonl", "--schedule", "gradient", "--total-trials", "8"},
      folder_);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_NE(tuned.err.find("next:\n  dovetail run net.onnx --target cpu --log a.jsonl --variant "
                           "global "),
            std::string::npos)
      << tuned.err;
  EXPECT_NE(tuned.err.find("\n  dovetail build net.onnx --target cpu --log a.jsonl -o package "),
            std::string::npos);
  EXPECT_NE(tuned.err.find("dovetail report a.jsonl -o a.html "), std::string::npos);
}

TEST_F(Network, RunsVariantsThatAreOneNetworkOnce) {
  const std::vector<std::string> arguments{"run", "net.onnx", "--variant", "default,default"};
  const ProgramRun table = run_dovetail(arguments, folder_);
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("the network of default"), std::string::npos) << table.out;
  std::vector<std::string> as_json = arguments;
  as_json.push_back("--json");
  const Json rows = Json::parse(run_dovetail(as_json, folder_).out)["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["same_as"], "");
  EXPECT_EQ(rows[1]["same_as"], "default");
  EXPECT_EQ(rows[1]["round_seconds"], rows[0]["round_seconds"]);
  EXPECT_EQ(rows[1]["max_rel_error"], rows[0]["max_rel_error"]);
}

TEST_F(Network, ShowsItsLayouts) {
  const ProgramRun text = run_dovetail({"show", "net.onnx", "--what", "layout"}, folder_);
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("convert.x"), std::string::npos) << text.out;
  const auto conversions = [&](const char* variant) {
    const ProgramRun run = run_dovetail(
        {"show", "net.onnx", "--what", "layout", "--variant", variant, "--json"}, folder_);
    int64_t count = 0;
    const Json shown = Json::parse(run.out);
    for (const Json& call : shown["calls"]) count += call["conversion"].get<bool>();
    return count;
  };
  EXPECT_LT(conversions("joint"), conversions("without_propagation"));
  const ProgramRun global =
      run_dovetail({"show", "net.onnx", "--what", "layout", "--variant", "global"}, folder_);
  EXPECT_EQ(global.exit_code, 1);
  EXPECT_NE(
      global.err.find("chosen by measurements and kept in a log; first: dovetail run net.onnx"),
      std::string::npos)
      << global.err;
}

// x + s, of [2,3] both.
Graph sum_network() {
  NetworkBuilder net("sum", 1);
  const TensorId x = net.input("x", {2, 3});
  const TensorId s = net.input("s", {2, 3});
  return net.finish({net.add("y", x, s)});
}

TEST_F(Network, HoldsAnInputAtANumber) {
  ASSERT_TRUE(export_onnx(sum_network(), folder_.path("sum.onnx")));
  std::filesystem::create_directories(folder_.folder() / "in");
  const NDArray x = NDArray{1, 2, 3, 4, 5, 6}.reshaped({2, 3});
  ASSERT_TRUE(write_npy(folder_.path("in/input_0.npy"), x));
  const std::vector<std::string> arguments{"run",      "sum.onnx", "--constant", "s=-2",
                                           "--inputs", "in",       "--outputs",  "out"};
  const ProgramRun done = run_dovetail(arguments, folder_);
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(floats_of(right(read_npy(folder_.path("out/output_0.npy")))),
            (std::vector<float>{-1, 0, 1, 2, 3, 4}));
  ASSERT_TRUE(write_npy(folder_.path("in/input_1.npy"), x));
  const ProgramRun refused = run_dovetail(arguments, folder_);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(
      refused.err,
      "dovetail: run: in/input_1.npy: one input too many; expected 1; --constant holds s=-2, of "
      "which there is no file\n");
}

TEST_F(Network, IsReplayedWithTheConstantsThatItWasTunedWith) {
  ASSERT_TRUE(export_onnx(sum_network(), folder_.path("sum.onnx")));
  const ProgramRun tuned = run_dovetail(
      {"tune", "sum.onnx", "--constant", "s=2", "--trials", "2", "--log", "s.jsonl"}, folder_);
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  const std::string said = tuned.out + tuned.err;
  EXPECT_NE(said.find("replay sum.onnx --constant s=2"), std::string::npos) << said;
  const ProgramRun replayed = run_dovetail(
      {"replay", "sum.onnx", "--constant", "s=2", "--log", "s.jsonl", "--strict"}, folder_);
  EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
}

}  // namespace
}  // namespace dovetail

#endif  // DOVETAIL_HAVE_ONNX
