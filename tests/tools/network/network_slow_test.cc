// SPDX-License-Identifier: Apache-2.0
// A model is tuned, then its network is assembled and run in each variant.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/frontend/onnx_import.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/region/task_spec.h"
#include "core/record/log/log.h"
#include "tests/models/network_builder.h"
#include "tests/models/onnx_export.h"
#include "tests/tools/network/network_fixture.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_ONNX

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::Network;
using testing::ProgramRun;
using testing::run_dovetail;

TEST_F(Network, IsTunedWithTheRegionsThatItsLayoutsMake) {
  const ProgramRun tuned = tune({"--total-trials", "40"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_GT(Json::parse(tuned.out)["tasks"].size(), 4u) << "four nodes, and what lies between them";
  const Json whole = run("joint");
  EXPECT_EQ(whole["recorded"], whole["calls"]);
}

TEST_F(Network, FindsThemAgainWhenACampaignGoesOn) {
  ASSERT_EQ(tune({"--total-trials", "40"}).exit_code, 0);
  const Log log = *read_log(folder_.path("a.jsonl"));
  for (const size_t kept : {size_t{10}, log.records.size() - 2}) {
    std::string text = print(log.headers.front()) + "\n";
    for (size_t i = 0; i < kept; ++i) text += print(log.records[i]) + "\n";
    folder_.write("a.jsonl", text);
    const ProgramRun resumed = tune({"--total-trials", "40", "--resume"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    const Json whole = run("joint");
    EXPECT_EQ(whole["recorded"], whole["calls"]) << kept;
  }
}

TEST_F(Network, IsNotMeasuredAgainByAnotherCampaignOfTheLog) {
  const std::vector<std::string> budget{"--total-trials", "24", "--seed", "3"};
  ASSERT_EQ(tune(budget).exit_code, 0);
  std::vector<std::string> more = budget;
  more.push_back("--append");
  const ProgramRun again = tune(more);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.err.find("trials were known from earlier campaigns of the log"),
            std::string::npos)
      << again.err;
}

TEST_F(Network, IsChosenByMeasurementsOnceAndKept) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const Json global = run("global");
  EXPECT_TRUE(global["right"]);
  EXPECT_GE(global["networks"], 1);
  EXPECT_GE(global["joint_seconds"], global["chosen_seconds"]) << "of one sitting";
  EXPECT_FALSE(global["kept"]);
  const Json again = run("global");
  EXPECT_TRUE(again["kept"]);
  EXPECT_TRUE(again["right"]);
  for (const char* same : {"joint_seconds", "networks", "calls", "conversions", "fused"})
    EXPECT_EQ(again[same], global[same]) << same;
  const ProgramRun shown = run_dovetail(
      {"show", "net.onnx", "--what", "layout", "--variant", "global", "--log", "a.jsonl"}, folder_);
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out.find(" - "), std::string::npos) << "each call has its time:\n" << shown.out;
  ASSERT_EQ(tune({"--total-trials", "8", "--append", "--seed", "1"}).exit_code, 0);
  EXPECT_FALSE(run("global")["kept"]) << "the log has learnt more since";
}

TEST_F(Network, IsChosenAndShownExactlyApart) {
  ASSERT_EQ(tune({"--total-trials", "8", "--exact"}).exit_code, 0);
  const ProgramRun exact = run_dovetail(
      {"run", "net.onnx", "--log", "a.jsonl", "--variant", "global", "--exact"}, folder_);
  ASSERT_EQ(exact.exit_code, 0) << exact.err;
  std::vector<std::string> show{"show",  "net.onnx", "--what",    "layout",
                                "--log", "a.jsonl",  "--variant", "global"};
  EXPECT_EQ(run_dovetail(show, folder_).exit_code, 1) << "none is kept of all algorithms";
  show.emplace_back("--exact");
  const ProgramRun shown = run_dovetail(show, folder_);
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out.find(" - "), std::string::npos) << "each call has its time:\n" << shown.out;
}

TEST_F(Network, OfACompressedLogIsSaidNotToBeKeptBeforeItIsChosen) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  ASSERT_EQ(run_dovetail({"log", "distill", "a.jsonl", "-o", "a.jsonl.gz"}, folder_).exit_code, 0);
  const ProgramRun done =
      run_dovetail({"run", "net.onnx", "--log", "a.jsonl.gz", "--variant", "global"}, folder_);
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const size_t said = done.err.find("what is chosen will not be kept: log a.jsonl.gz: a campaign");
  EXPECT_NE(said, std::string::npos) << done.err;
  EXPECT_LT(said, done.err.find("networks measured")) << done.err;
}

TEST_F(Network, IsChosenWithinALimitOfMemory) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const auto within = [&](const char* variant, const char* megabytes) {
    return run_dovetail({"run", "net.onnx", "--log", "a.jsonl", "--json", "--variant", variant,
                         "--memory-limit", megabytes},
                        folder_);
  };
  const ProgramRun enough = within("global", "1000");
  ASSERT_EQ(enough.exit_code, 0) << enough.err;
  const Json row = Json::parse(enough.out)["rows"][0];
  EXPECT_GT(row["constant_bytes"], 0);
  EXPECT_FALSE(row["kept"]);
  EXPECT_TRUE(Json::parse(within("global", "1000").out)["rows"][0]["kept"]);
  const auto shown_within = [&](const char* variant, const char* megabytes) {
    return run_dovetail({"show", "net.onnx", "--what", "layout", "--log", "a.jsonl", "--variant",
                         variant, "--memory-limit", megabytes},
                        folder_);
  };
  const ProgramRun shown = shown_within("global", "1000");
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  const ProgramRun not_chosen = shown_within("global", "0.001");
  EXPECT_EQ(not_chosen.exit_code, 1);
  EXPECT_NE(not_chosen.err.find("a.jsonl keeps no network of variant global that fits; the model's "
                                "constants alone take 0.011456 MB"),
            std::string::npos)
      << not_chosen.err;
  EXPECT_NE(shown_within("joint", "1000").err.find("--memory-limit of variant joint; expected"),
            std::string::npos);
  EXPECT_TRUE(Json::parse(within("global", "900").out)["rows"][0]["kept"]) << "it fits here, too";
  const ProgramRun joint = within("joint", "0.0001");
  EXPECT_EQ(joint.exit_code, 1);
  EXPECT_NE(joint.err.find("expected at most 0.0001 MB (--memory-limit); the model's constants "
                           "alone take 0.011456 MB"),
            std::string::npos)
      << joint.err;
  const ProgramRun above = within("joint", "0.0115");
  EXPECT_NE(above.err.find("expected at most 0.0115 MB (--memory-limit); `dovetail run` with "
                           "--variant global may find"),
            std::string::npos)
      << above.err;
  const ProgramRun above_shown = shown_within("global", "0.0115");
  EXPECT_NE(above_shown.err.find("that fits; first: dovetail run net.onnx --log a.jsonl "
                                 "--variant global --memory-limit 0.0115"),
            std::string::npos)
      << above_shown.err;
  const ProgramRun none = within("global", "0.0001");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("fits into 0.0001 MB of memory; least found: "), std::string::npos)
      << none.err;
}

// A network chosen without a limit is taken under each limit that it fits into.
TEST_F(Network, IsTheOneChosenWithoutALimitWhereThatFits) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const Json chosen = run("global");
  const double megabytes =
      1e-6 * (chosen["constant_bytes"].get<double>() + chosen["peak_bytes"].get<double>());
  EXPECT_GT(chosen["model_constant_bytes"], 0);
  const auto within = [&](double limit, const std::string& verb) {
    std::vector<std::string> arguments{
        verb, "net.onnx", "--log", "a.jsonl", "--json", "--memory-limit", std::to_string(limit)};
    if (verb == "build") arguments.emplace_back("--dry-run");
    return run_dovetail(arguments, folder_);
  };
  const ProgramRun fits = within(1.01 * megabytes, "run");
  ASSERT_EQ(fits.exit_code, 0) << fits.err;
  EXPECT_TRUE(Json::parse(fits.out)["rows"][0]["kept"]);
  EXPECT_NE(fits.err.find("keeps (chosen without a memory limit) is taken (variant global)"),
            std::string::npos)
      << fits.err;
  const ProgramRun built = within(1.01 * megabytes, "build");
  EXPECT_EQ(Json::parse(built.out)["variant"], "global") << built.err;
  EXPECT_EQ(within(0.9 * megabytes, "run").err.find("is taken"), std::string::npos);
}

TEST_F(Network, RunsSeveralVariantsInTurn) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const std::vector<std::string> arguments{
      "run", "net.onnx", "--log", "a.jsonl", "--json", "--variant", "default,joint,global"};
  const ProgramRun both = run_dovetail(arguments, folder_);
  ASSERT_EQ(both.exit_code, 0) << both.err;
  const Json rows = Json::parse(both.out)["rows"];
  EXPECT_GT(Json::parse(both.out)["process_peak_bytes"], 1 << 20);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["variant"], "default");
  EXPECT_EQ(rows[0]["recorded"], 0);
  EXPECT_GT(rows[1]["recorded"], 0);
  for (const Json& row : rows) {
    EXPECT_GE(row["round_seconds"].size(), 3u);
    EXPECT_LE(row["round_seconds"].size(), 15u);
    EXPECT_EQ(row["round_seconds"].size(), rows[0]["round_seconds"].size()) << "in turn";
  }
}

TEST_F(Network, OfOneLayoutNeedsACampaignOfIt) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const ProgramRun none =
      run_dovetail({"run", "net.onnx", "--log", "a.jsonl", "--variant", "loop_only"}, folder_);
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("a.jsonl has no campaign of variant loop_only; it has joint"),
            std::string::npos)
      << none.err;
  for (const char* variant : {"loop_only", "no_layouts"}) {
    const ProgramRun fixed =
        tune({"--total-trials", "8", "--append", "--variant", variant, "--layout", "nhwo"});
    ASSERT_EQ(fixed.exit_code, 0) << fixed.err;
    EXPECT_TRUE(run(variant)["right"]);
  }
}

// Two blocks as MobileNet-V3 has them: HardSwish behind convolutions, a gate of one number a
// channel, a residual.
Graph gated_network() {
  NetworkBuilder net("gated", 18);
  const auto pointwise = [](int64_t channels) {
    return ConvolutionLayer{channels, {1, 1}, {1, 1}, {0, 0}};
  };
  TensorId x = net.input("x", {1, 3, 16, 16});
  x = net.hard_swish("stem.h", net.convolution("stem", x, {16, {3, 3}, {2, 2}, {1, 1}}));
  TensorId y = net.hard_swish("e.h", net.convolution("expand", x, pointwise(32)));
  y = net.hard_swish("d.h", net.convolution("depthwise", y, {32, {3, 3}, {1, 1}, {1, 1}, 32}));
  TensorId gate =
      net.relu("s.r", net.convolution("squeeze", net.average_pool("p", y), pointwise(8)));
  gate = net.hard_sigmoid("x.s", net.convolution("excite", gate, pointwise(32)));
  y = net.convolution("project", net.multiply("gated", y, gate), pointwise(16));
  x = net.hard_swish("j.h", net.add("j", y, x));
  return net.finish(
      {net.hard_swish("l.h", net.convolution("last", x, {24, {3, 3}, {1, 1}, {1, 1}}))});
}

TEST_F(Network, HasOneRegionForEachConvolutionWithWhatFollowsIt) {
  ASSERT_TRUE(export_onnx(gated_network(), folder_.path("gated.onnx")));
  const ProgramRun shown = run_dovetail({"show", "gated.onnx"}, folder_);
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_TRUE(shown.out.starts_with("# 32 nodes in 9 regions: 7 with a spec, 0 views\n"))
      << shown.out;
  const ProgramRun run = run_dovetail({"run", "gated.onnx", "--json"}, folder_);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(Json::parse(run.out)["rows"][0]["right"]) << run.out;
}

// As campaigns of before had them, whose tasks have names of epilogues only.
TEST_F(Network, HasTheRegionsOfALogOfBefore) {
  ASSERT_TRUE(export_onnx(gated_network(), folder_.path("net.onnx")));
  ASSERT_EQ(tune({"--total-trials", "20"}).exit_code, 0);
  const Json now = run("joint");
  EXPECT_EQ(now["recorded"], now["calls"]);
  const Graph graph = *import_onnx(folder_.path("net.onnx"));
  std::vector<std::string> tasks;
  const TaskList of_before = *region_tasks(*partition(graph, {.tail_values = false}), "cpu");
  for (const Task& task : of_before.tasks) tasks.push_back(print(task.spec));
  Log log = *read_log(folder_.path("a.jsonl"));
  log.headers.front().options["tasks"] = tasks;
  folder_.write("a.jsonl", print(log.headers.front()) + "\n");
  const Json before = run("joint");
  EXPECT_GT(before["distinct"], now["distinct"]);
  EXPECT_TRUE(before["right"]);
}

}  // namespace
}  // namespace dovetail

#endif  // DOVETAIL_HAVE_ONNX
