// SPDX-License-Identifier: Apache-2.0
// A network that `run` chose by measurements, and that the log keeps.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/record/log/network_records.h"
#include "tests/support/right.h"
#include "tests/tools/network/network_fixture.h"
#include "tests/tools/run_program.h"

#if DOVETAIL_HAVE_ONNX

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::Network;
using testing::ProgramRun;
using testing::run_dovetail;

// Without a variant.
class KeptNetwork : public Network {
 protected:
  ProgramRun run_with(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "net.onnx", "--log", "a.jsonl", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, folder_);
  }
  Json row_with(const std::vector<std::string>& more) {
    const ProgramRun done = run_with(more);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return Json::parse(done.out)["rows"][0];
  }
  // The log's network, which has exact traces, as if the search had been free to choose others.
  void keep_as_chosen_without_exact() {
    const std::string path = folder_.path("a.jsonl");
    const Log log = testing::right(read_log(path));
    const std::string text = testing::right(read_file(path));
    std::string others;
    for (const std::string_view line : split(text, '\n'))
      if (!line.empty() && line.find(R"("kind":"network")") == std::string_view::npos)
        others += std::string(line) + "\n";
    folder_.write("a.jsonl", others);
    for (const OtherLine& line : log.others) {
      if (line.kind != kNetworkKind) continue;
      NetworkRecord network = testing::right(parse_network_record(line.object));
      network.exact = false;
      const Result<void> kept = keep_network(path, network);
      ASSERT_TRUE(kept) << kept.error().message;
    }
  }
  std::string shown(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"show", "net.onnx", "--what", "layout", "--log", "a.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun done = run_dovetail(arguments, folder_);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return done.out;
  }
};

TEST_F(KeptNetwork, IsJointWhereTheLogKeepsNone) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const ProgramRun done = run_with({});
  const Json rows = Json::parse(done.out)["rows"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["variant"], "joint");
  EXPECT_GT(rows[0]["default_seconds"].get<double>(), 0);
  EXPECT_TRUE(row_with({"--variant", "joint"})["default_seconds"].is_null());
  EXPECT_NE(done.err.find("variant joint, as a.jsonl keeps no network"), std::string::npos)
      << done.err;
  EXPECT_EQ(shown({}), shown({"--variant", "joint"}));
}

TEST_F(KeptNetwork, IsTakenWithoutAVariant) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const ProgramRun chosen = run_with({"--choose-again"});
  EXPECT_NE(chosen.err.find("the network is kept in a.jsonl\n"), std::string::npos) << chosen.err;
  const Json global = Json::parse(chosen.out)["rows"][0];
  EXPECT_EQ(global["variant"], "global") << "nothing else chooses";
  EXPECT_FALSE(global["kept"]);
  const ProgramRun done = run_with({});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("the network that a.jsonl keeps is taken (variant global): "),
            std::string::npos)
      << done.err;
  const Json kept = Json::parse(done.out)["rows"][0];
  EXPECT_EQ(kept["variant"], "global");
  EXPECT_TRUE(kept["kept"]);
  EXPECT_TRUE(kept["right"]);
  for (const char* same : {"joint_seconds", "networks", "calls", "conversions", "fused"})
    EXPECT_EQ(kept[same], global[same]) << same;
  EXPECT_EQ(shown({}), shown({"--variant", "global"}));
  EXPECT_EQ(row_with({"--variant", "joint"})["variant"], "joint") << "as asked for";
}

TEST_F(KeptNetwork, CountsItsCallsAsItDidWhenItWasChosenAndAsBuildDoes) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  const Json chosen = row_with({"--choose-again"});
  const ProgramRun again = run_with({});
  const Json kept = Json::parse(again.out)["rows"][0];
  ASSERT_TRUE(kept["kept"]);
  const int recorded = kept["recorded"], of_network = kept["of_network"], calls = kept["calls"];
  EXPECT_EQ(recorded + of_network, calls) << "each task has a trial";
  EXPECT_EQ(kept["distinct"], chosen["distinct"]);
  EXPECT_EQ(std::ssize(kept["regions"]), calls);
  const auto is_of_network = [](const Json& region) { return region["match"] == "network"; };
  EXPECT_EQ(std::ranges::count_if(kept["regions"], is_of_network), of_network);
  EXPECT_NE(again.err.find(fmt::format("{} of {} calls with a record of a.jsonl", recorded, calls)),
            std::string::npos)
      << again.err;
  const ProgramRun table = run_dovetail({"run", "net.onnx", "--log", "a.jsonl"}, folder_);
  EXPECT_NE(table.out.find(fmt::format("{} of {} recorded", recorded, calls)), std::string::npos)
      << table.out;
  const ProgramRun built = run_dovetail(
      {"build", "net.onnx", "--log", "a.jsonl", "--dry-run", "--json", "--strict"}, folder_);
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Json matches = Json::parse(built.out)["matches"];
  EXPECT_EQ(matches["exact"], recorded);
  EXPECT_EQ(matches["network"], of_network);
}

TEST_F(KeptNetwork, OfALogWithoutItsRegionsIsNoneThatWasTuned) {
  const std::vector<std::string> other{
      "tune", "gmm:m=8,n=16,k=16", "--log", "a.jsonl", "--trials", "2", "--json"};
  ASSERT_EQ(run_dovetail(other, folder_).exit_code, 0);
  ASSERT_EQ(row_with({"--variant", "global"})["variant"], "global");
  const ProgramRun again = run_with({});
  const Json kept = Json::parse(again.out)["rows"][0];
  ASSERT_TRUE(kept["kept"]);
  EXPECT_EQ(kept["recorded"], 0);
  EXPECT_NE(again.err.find("0 of "), std::string::npos) << again.err;
  const ProgramRun built =
      run_dovetail({"build", "net.onnx", "--log", "a.jsonl", "--dry-run", "--strict"}, folder_);
  EXPECT_EQ(built.exit_code, 3) << built.out;
  // A conversion that the network was measured with is a call of its own.
  EXPECT_NE(built.err.find(
                fmt::format("5 of {} calls without an exact record", kept["calls"].get<int>())),
            std::string::npos)
      << built.err;
  EXPECT_NE(built.err.find("default: no record; the log has no c2d; it has 1 task of gmm"),
            std::string::npos)
      << built.err;
}

TEST_F(KeptNetwork, HasRecordsThatShowFinds) {
  ASSERT_EQ(tune({"--total-trials", "40"}).exit_code, 0);
  row_with({"--choose-again"});
  const Json kept = row_with({});
  ASSERT_TRUE(kept["kept"]);
  int64_t found = 0;
  for (const Json& region : kept["regions"]) {
    if (region["record"].is_null()) continue;
    const std::string record = region["record"].get<std::string>();
    ++found;
    EXPECT_TRUE(record.ends_with("@" + region["spec"].get<std::string>())) << record;
    EXPECT_EQ(run_dovetail({"show", record, "--what", "trace"}, folder_).exit_code, 0) << record;
  }
  EXPECT_GT(found, 0);
}

TEST_F(KeptNetwork, SatisfiesExactIfItsTracesDo) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  EXPECT_FALSE(row_with({"--choose-again", "--exact"})["kept"]);
  keep_as_chosen_without_exact();
  const ProgramRun exact = run_with({"--exact"});
  const Json row = Json::parse(exact.out)["rows"][0];
  EXPECT_EQ(row["variant"], "global");
  EXPECT_TRUE(row["kept"]);
  EXPECT_NE(exact.err.find("a.jsonl keeps (chosen without --exact, yet its traces are exact) is "),
            std::string::npos)
      << exact.err;
  EXPECT_FALSE(row_with({"--choose-again", "--exact"})["kept"]);
  EXPECT_EQ(run_with({"--exact"}).err.find("chosen without --exact"), std::string::npos)
      << "one that was chosen with it comes first";
}

TEST_F(KeptNetwork, IsThatOfTheSameOptions) {
  ASSERT_EQ(tune({"--total-trials", "8"}).exit_code, 0);
  EXPECT_FALSE(row_with({"--choose-again"})["kept"]);
  EXPECT_EQ(row_with({"--memory-limit", "1000"})["variant"], "global") << "it fits";
  ASSERT_EQ(tune({"--total-trials", "8", "--append", "--seed", "1"}).exit_code, 0);
  EXPECT_EQ(row_with({})["variant"], "joint") << "the log has learnt more since";
}

}  // namespace
}  // namespace dovetail

#endif
