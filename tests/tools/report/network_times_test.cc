// SPDX-License-Identifier: Apache-2.0
// The time of a network, on the page of the campaign that tuned it.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/tools/report/report_verb.h"

namespace dovetail {
namespace {

using testing::header_of;
using testing::holds;
using testing::ProgramRun;
using testing::read_xml;
using testing::ReportVerb;
using testing::trial_of;

const std::string kConv = "gmm:m=8,n=8,k=8", kFc = "gmm:m=16,n=8,k=8";

LogHeader header_of_network() {
  LogHeader header = header_of(1);
  header.workloads = {"net.onnx"};
  header.layers = {{"conv", kConv, 2}, {"fc", kFc, 1}};
  header.options["trials"] = int64_t{300};
  return header;
}

Record at(Record record, double elapsed_seconds) {
  record.elapsed_seconds = elapsed_seconds;
  return record;
}

Record confirmed(const std::string& task, int64_t trial, double seconds, double elapsed_seconds) {
  Record record = at(trial_of(task, trial, seconds), elapsed_seconds);
  record.kind = RecordKind::confirmation;
  record.trace = {};
  record.sitting = 2;
  return record;
}

// By default two nodes of 4 us and one of 6 us. The second trial of conv reads 2 us, and is
// confirmed with 3 us.
std::vector<Record> small_campaign() {
  return {at(trial_of(kConv, 1, 4e-6), 1), at(trial_of(kFc, 1, 6e-6), 2),
          at(trial_of(kConv, 2, 2e-6), 10), confirmed(kConv, 1, 4e-6, 20),
          confirmed(kConv, 2, 3e-6, 21)};
}

class NetworkTimes : public ReportVerb {
 protected:
  std::string figure(const std::string& name) const {
    const ProgramRun run = report({"a.jsonl", "-o", "page.html", "--figures", "figures"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return text("figures/" + name);
  }
};

TEST_F(NetworkTimes, AreAStepLineThatEndsWithTheConfirmedSum) {
  write("a.jsonl", small_campaign(), header_of_network());
  EXPECT_EQ(figure("network-time.csv"),
            "series,x,y,low,high\n#1,0,14,,\n#1,10,10,,\n#1,21,12,,\n#1,21,12,,\n"
            "default 14.0 µs,,14,,\n");
  EXPECT_TRUE(holds(page_of("a.jsonl"), "12.0 µs")) << "the card";
}

TEST_F(NetworkTimes, BeginWithTheDefaultsOfTasksThatComeLater) {
  write("a.jsonl", {at(trial_of(kConv, 1, 4e-6), 1), at(trial_of(kFc, 1, 6e-6), 100)},
        header_of_network());
  const std::string csv = figure("network-time.csv");
  EXPECT_NE(csv.find("#1,0,14,,\n"), std::string::npos) << csv;
}

TEST_F(NetworkTimes, HaveNoLineWhileATaskHasNone) {
  write("a.jsonl", {at(trial_of(kConv, 1, 4e-6), 1)}, header_of_network());
  const auto xml = page_of("a.jsonl");
  EXPECT_FALSE(holds(xml, "The network's time while it was tuned"));
}

// Two nodes of 4 us; fc has no trial, and bn one that failed.
TEST_F(NetworkTimes, AreSharesOfWhatIsKnownWhereATaskHasNoTrial) {
  const std::string bn = "gmm:m=32,n=8,k=8";
  LogHeader header = header_of_network();
  header.layers.push_back({"bn", bn, 1});
  header.options["tasks"] = std::vector<std::string>{kConv, kFc, bn};
  write("a.jsonl", {at(trial_of(kConv, 1, 4e-6), 1), at(trial_of(bn, 1, 0), 2)}, header);
  const std::string csv = figure("network-tasks.csv");
  EXPECT_TRUE(csv.starts_with("name,task,nodes,default (µs),now (µs),% of known,")) << csv;
  EXPECT_NE(csv.find("\nconv,\"gmm:m=8,n=8,k=8\",2,8,8,100,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nfc,\"gmm:m=16,n=8,k=8\",1,,no trial yet,,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nbn,\"gmm:m=32,n=8,k=8\",1,,no valid candidate,,"), std::string::npos)
      << csv;
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(
      holds(xml,
            "Of 3 tasks, 1 has no trial yet, and 1 has no valid candidate. Shares are of the "
            "8.00 µs that the others take: the network takes more."))
      << xml.text;
  EXPECT_TRUE(holds(xml, "No trial yet: fc."));
}

TEST_F(NetworkTimes, StandBesideOtherEngines) {
  write("a.jsonl", small_campaign(), header_of_network());
  folder_.write("run.json", R"({"rows":[
      {"name":"net.onnx","variant":"default","peers":{"openvino":2e-5,"libtorch":null}},
      {"name":"net.onnx","variant":"joint","peers":{"openvino":2e-5,"libtorch":null}}]})");
  const ProgramRun run =
      report({"a.jsonl", "-o", "page.html", "--results", "run.json", "--figures", "figures"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string csv = text("figures/network-time.csv");
  EXPECT_NE(csv.find("openvino 20.0 µs,,20,,\n"), std::string::npos) << csv;
  EXPECT_EQ(csv.find("libtorch"), std::string::npos) << csv;
}

TEST_F(NetworkTimes, AreListedTheLongestFirst) {
  write("a.jsonl", small_campaign(), header_of_network());
  const std::string csv = figure("network-tasks.csv");
  EXPECT_NE(csv.find("\nconv,\"gmm:m=8,n=8,k=8\",2,8,6,50,1.3333333333333333,2"), std::string::npos)
      << csv;
  EXPECT_LT(csv.find("\nconv,"), csv.find("\nfc,")) << csv;
}

// Ten trials of conv: the last two gain 1 us for each of two nodes.
TEST_F(NetworkTimes, SayWhatTheLastFifthOfTheTrialsGained) {
  std::vector<Record> records = {trial_of(kFc, 1, 6e-6)};
  for (int64_t i = 1; i <= 10; ++i) records.push_back(trial_of(kConv, i, i < 9 ? 4e-6 : 3e-6));
  write("a.jsonl", records, header_of_network());
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "took 2.00 µs (17 %) off the network: conv (2.00 µs)")) << xml.text;
  EXPECT_TRUE(holds(xml, "2 of 2 tasks, which take 100 % of its time, have had fewer than 20"));
}

// Trial 9 of 10 read 1 us, and is confirmed with 3.5 us: of the 4 us by default, 0.5 us are gained
// for each of two nodes.
TEST_F(NetworkTimes, SayWhatWasGainedByConfirmedTimes) {
  std::vector<Record> records = {trial_of(kFc, 1, 6e-6)};
  for (int64_t i = 1; i <= 10; ++i) records.push_back(trial_of(kConv, i, i == 9 ? 1e-6 : 4e-6));
  records.push_back(confirmed(kConv, 1, 4e-6, 20));
  records.push_back(confirmed(kConv, 9, 3.5e-6, 21));
  write("a.jsonl", records, header_of_network());
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "took 1.000 µs (7.7 %) off the network: conv (1.000 µs)")) << xml.text;
}

TEST_F(NetworkTimes, OfSeveralModelsAreEachOnItsOwn) {
  LogHeader header = header_of_network();
  header.workloads = {"m/net.onnx", "other.onnx"};
  header.layers = {{"conv", kConv, 2, "m/net.onnx"}, {"fc", kFc, 1, "other.onnx"}};
  write("a.jsonl", small_campaign(), header);
  const std::string csv = figure("network-time-net-onnx.csv");
  EXPECT_NE(csv.find("default 8.00 µs,,8,,\n"), std::string::npos) << csv;
  EXPECT_NE(figure("network-time-other-onnx.csv").find("default 6.00 µs"), std::string::npos);
  const auto xml = page_of("a.jsonl");
  for (const char* what :
       {"2 regions of net.onnx", "1 region of other.onnx", "Where the time of other.onnx is",
        "dovetail run m/net.onnx --target cpu --log a.jsonl --variant global",
        "dovetail build other.onnx --target cpu --log a.jsonl -o other-package"})
    EXPECT_TRUE(holds(xml, what)) << what;
}

// Each log tuned a model of its own; both have a task in common.
TEST_F(NetworkTimes, OfTheModelsOfSeveralLogsAreEachOnItsOwn) {
  write("a.jsonl", small_campaign(), header_of_network());
  LogHeader other = header_of_network();
  other.id = "other";
  other.workloads = {"m/other.onnx"};
  other.layers = {{"fc", kFc, 1}};
  write("b.jsonl", {at(trial_of(kFc, 1, 6e-6), 1)}, other);
  const ProgramRun run = report({"a.jsonl", "b.jsonl", "-o", "page.html", "--figures", "figures"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto xml = read_xml(text("page.html"));
  for (const char* what :
       {"Where the time of net.onnx is", "Where the time of other.onnx is", "b.jsonl#1",
        "dovetail run net.onnx --target cpu --log a.jsonl --variant global",
        "dovetail run m/other.onnx --target cpu --log b.jsonl --variant global",
        "dovetail build m/other.onnx --target cpu --log b.jsonl -o other-package"})
    EXPECT_TRUE(holds(xml, what)) << what;
  const std::string tasks = text("figures/tasks.csv");
  EXPECT_TRUE(tasks.substr(0, tasks.find('\n')).ends_with(",model")) << tasks;
  EXPECT_NE(tasks.find(",\"net.onnx, other.onnx\"\n"), std::string::npos) << tasks;
  EXPECT_NE(tasks.find(",net.onnx\n"), std::string::npos) << tasks;
}

// One log tuned two models, the other one of them.
TEST_F(NetworkTimes, OfOneNetworkHaveACurveOfEachCampaign) {
  LogHeader two = header_of_network();
  two.workloads = {"net.onnx", "other.onnx"};
  two.layers = {
      {"conv", kConv, 2, "net.onnx"}, {"fc", kFc, 1, "net.onnx"}, {"fc", kFc, 1, "other.onnx"}};
  write("a.jsonl", small_campaign(), two);
  LogHeader one = header_of_network();
  one.id = "one";
  one.layers = {{"conv", kConv, 2}, {"fc", kFc, 1}};
  write("b.jsonl", small_campaign(), one);
  const ProgramRun run = report({"a.jsonl", "b.jsonl", "-o", "page.html", "--figures", "figures"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string csv = text("figures/network-time-net-onnx.csv");
  EXPECT_NE(csv.find("a.jsonl#1"), std::string::npos) << csv;
  EXPECT_NE(csv.find("b.jsonl#1"), std::string::npos) << csv;
}

// A campaign that goes on in the log has the commands of the last one only.
TEST_F(NetworkTimes, OfSeveralCampaignsOfALogComeWithCommandsOnce) {
  LogHeader second = header_of_network();
  second.campaign = 2;
  second.id = "second";
  std::string log = print(header_of_network()) + "\n";
  for (const Record& record : small_campaign()) log += print(record) + "\n";
  folder_.write("a.jsonl", log + print(second) + "\n");
  const auto xml = page_of("a.jsonl");
  const size_t first = xml.text.find("dovetail run net.onnx");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(xml.text.substr(0, xml.text.find("Where the time is")).find("dovetail run", first + 1),
            std::string::npos);
}

TEST_F(NetworkTimes, ComeWithTheCommandsThatUseIt) {
  write("a.jsonl", small_campaign(), header_of_network());
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "dovetail run net.onnx --target cpu --log a.jsonl --variant global"));
  EXPECT_TRUE(holds(xml, "dovetail build net.onnx --target cpu --log a.jsonl -o package"));
  EXPECT_TRUE(holds(xml,
                    "dovetail tune net.onnx --target cpu --strategy random --trials 600 --seed 0 "
                    "--log a.jsonl --resume"));
  EXPECT_LT(xml.text.find("dovetail run net.onnx"), xml.text.find("Where the time is"));
}

TEST_F(NetworkTimes, OfAnOlderLogHaveCommandsWithAPlaceForTheModel) {
  LogHeader header = header_of_network();
  header.workloads.clear();
  write("a.jsonl", small_campaign(), header);
  EXPECT_TRUE(holds(page_of("a.jsonl"), "dovetail run MODEL.onnx --target cpu --log a.jsonl"));
}

}  // namespace
}  // namespace dovetail
