// SPDX-License-Identifier: Apache-2.0
// Whole campaigns of a small operator, through the program and its workers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/record/log/log.h"
#include "core/record/log/timed_caches.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using OrderedJson = nlohmann::ordered_json;
using testing::count_lines;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

constexpr const char* kGmm = "gmm:m=16,n=32,k=8";
constexpr const char* kOtherGmm = "gmm:m=8,n=16,k=8";

class Campaign : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the CPU backend";
  }

  ProgramRun tune(std::vector<std::string> more, const std::string& log = "a.jsonl") {
    std::vector<std::string> arguments{"tune", kGmm, "--trials", "6", "--log", log};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_dovetail(arguments, folder_);
  }
  // tune({"--json"}), once for all tests that only look at what it left: its log is a.jsonl.
  const ProgramRun& tuned() {
    static std::string log;
    static const ProgramRun kOnce = [this] {
      ProgramRun run = tune({"--json"});
      log = read_file(folder_.path("a.jsonl")).value_or("");
      return run;
    }();
    folder_.write("a.jsonl", log);
    return kOnce;
  }
  ProgramRun run(const std::vector<std::string>& arguments) {
    return run_dovetail(arguments, folder_);
  }
  std::vector<std::string> traces(const std::string& log) {
    std::vector<std::string> found;
    const Result<Log> read = read_log(folder_.path(log));
    for (const Record& record : read->records)
      if (record.kind == RecordKind::trial) found.push_back(record.trace.text());
    return found;
  }

  TemporaryFolder folder_;
};

std::vector<std::string> keys(const OrderedJson& json) {
  std::vector<std::string> names;
  for (const auto& [key, value] : json.items()) names.push_back(key);
  return names;
}

TEST_F(Campaign, GivesTheFieldsOfTheContract) {
  const ProgramRun& run = tuned();
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const OrderedJson json = OrderedJson::parse(run.out);
  EXPECT_EQ(keys(json), (std::vector<std::string>{"schema", "version", "target", "device", "caches",
                                                  "log", "campaign", "seed", "interrupted", "tasks",
                                                  "wall_seconds", "time"}));
  EXPECT_EQ(json["schema"], "dovetail-tune-1");
  EXPECT_EQ(keys(json["time"]),
            (std::vector<std::string>{"build", "run", "check", "search", "model"}));
  ASSERT_EQ(json["tasks"].size(), 1u);
  const OrderedJson& task = json["tasks"][0];
  EXPECT_EQ(keys(task),
            (std::vector<std::string>{"name", "spec", "weight", "trials", "valid", "rejected",
                                      "failed", "default_seconds", "median_seconds", "best_seconds",
                                      "best_seconds_interval", "best_gflops", "percent_of_peak",
                                      "percent_of_roof", "record", "algorithm"}));
  EXPECT_EQ(task["spec"], kGmm);
  EXPECT_EQ(task["trials"], 6);
  EXPECT_GT(task["best_gflops"], 0);
  EXPECT_EQ(task["record"].get<std::string>().rfind("a.jsonl#1.", 0), 0u);
}

// More than 100 % of peak is the first thing that a stranger would see without it.
TEST_F(Campaign, NamesTheAlgorithmBesideWhatItCountsByTheDirectOne) {
  ASSERT_EQ(tuned().exit_code, 0);
  for (const char* verb : {"tune", "replay"}) {
    std::vector<std::string> arguments{verb, kGmm, "--log", "a.jsonl"};
    if (verb == std::string("tune"))
      arguments.insert(arguments.end(), {"--trials", "6", "--resume"});
    const ProgramRun table = run(arguments);
    ASSERT_EQ(table.exit_code, 0) << table.err;
    EXPECT_NE(table.out.find("  algorithm  GFLOP/s"), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("  direct  "), std::string::npos) << table.out;
  }
}

// Options that are defaults are printed nowhere that a person reads.
TEST_F(Campaign, CallsItsStrategyByWhatDiffersFromTheDefaults) {
  ASSERT_EQ(tune({"--strategy", "dovetail:parents=13"}).exit_code, 0);
  ASSERT_NE(read_file(folder_.path("a.jsonl"))->find("parents=13,pool="), std::string::npos)
      << "the log has all of them";
  ASSERT_EQ(run({"report", "a.jsonl", "-o", "page.html", "--figures", "figures"}).exit_code, 0);
  const ProgramRun other = tune({"--resume", "--strategy", "dovetail:parents=14"});
  EXPECT_EQ(other.exit_code, 1);
  const std::string read[] = {
      *read_file(folder_.path("page.html")), other.err,
      *read_file(folder_.path("figures/best-trials-gmm-m-16-n-32-k-8.svg"))};
  for (const std::string& text : read) {
    EXPECT_NE(text.find("parents=13"), std::string::npos) << text;
    EXPECT_EQ(text.find("pool="), std::string::npos) << text;
  }
}

TEST_F(Campaign, WritesAHeaderAndALineForEachMeasurement) {
  ASSERT_EQ(tuned().exit_code, 0);
  const Result<Log> log = read_log(folder_.path("a.jsonl"));
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_TRUE(log->warnings.empty());
  int64_t trials = 0, of_default = 0, of_others = 0;
  for (const Record& record : log->records) {
    trials += record.kind == RecordKind::trial;
    if (record.kind == RecordKind::confirmation) ++(record.is_default ? of_default : of_others);
  }
  EXPECT_EQ(trials, 6);
  EXPECT_EQ(of_default, 1);
  EXPECT_GE(of_others, 4);  // 5 where the default is none of the best five
  EXPECT_TRUE(log->records.front().is_default);
}

TEST_F(Campaign, ReplaysFromItsLog) {
  ASSERT_EQ(tuned().exit_code, 0);
  const ProgramRun replay =
      run({"replay", kGmm, "--log", "a.jsonl", "--strict", "--check", "--json"});
  ASSERT_EQ(replay.exit_code, 0) << replay.err;
  const OrderedJson json = OrderedJson::parse(replay.out);
  EXPECT_EQ(keys(json), (std::vector<std::string>{"schema", "version", "target", "device", "caches",
                                                  "log", "interrupted", "tasks"}));
  const OrderedJson& task = json["tasks"][0];
  EXPECT_EQ(keys(task), (std::vector<std::string>{
                            "name", "spec", "weight", "seconds", "seconds_interval", "gflops",
                            "max_abs_error", "max_rel_error", "match", "record", "algorithm"}));
  EXPECT_EQ(task["match"], "exact");
  EXPECT_LT(task["max_rel_error"], 1e-6);
}

TEST_F(Campaign, MissingATaskIsReplayedWithTheDefaultTraceOrRefused) {
  ASSERT_EQ(tuned().exit_code, 0);
  const ProgramRun lenient = run({"replay", kOtherGmm, "--log", "a.jsonl", "--json"});
  EXPECT_EQ(lenient.exit_code, 0) << lenient.err;
  EXPECT_EQ(OrderedJson::parse(lenient.out)["tasks"][0]["match"], "default");
  const ProgramRun strict = run({"replay", kOtherGmm, "--log", "a.jsonl", "--strict", "--json"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_EQ(strict.out, "");
  EXPECT_NE(strict.err.find("m is 16 there, 8 here"), std::string::npos) << strict.err;
}

TEST_F(Campaign, WithARecordThatCannotBeAppliedIsAMissThatSaysWhy) {
  ASSERT_EQ(tuned().exit_code, 0);
  const Result<Log> log = read_log(folder_.path("a.jsonl"));
  ASSERT_TRUE(log);
  Record edited = log->records.front();
  edited.trace = "loops: split(loop=m, factor=3)\n";
  folder_.write("b.jsonl", print(log->headers.front()) + "\n" + print(edited) + "\n");
  const ProgramRun replay = run({"replay", kGmm, "--log", "b.jsonl", "--json"});
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
  EXPECT_EQ(OrderedJson::parse(replay.out)["tasks"][0]["match"], "default");
  EXPECT_NE(replay.err.find("factor 3 does not divide"), std::string::npos) << replay.err;
  EXPECT_EQ(run({"replay", kGmm, "--log", "b.jsonl", "--strict"}).exit_code, 3);
}

TEST_F(Campaign, OfTheSameSeedProposesTheSame) {
  ASSERT_EQ(tune({"--seed", "7"}, "one.jsonl").exit_code, 0);
  ASSERT_EQ(tune({"--seed", "7"}, "two.jsonl").exit_code, 0);
  ASSERT_EQ(tune({"--seed", "8"}, "three.jsonl").exit_code, 0);
  EXPECT_EQ(traces("one.jsonl"), traces("two.jsonl"));
  EXPECT_NE(traces("one.jsonl"), traces("three.jsonl"));
}

TEST_F(Campaign, IsNotOverwritten) {
  ASSERT_EQ(tuned().exit_code, 0);
  const ProgramRun again = tune({});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_EQ(count_lines(again.err), 1u);
  EXPECT_NE(again.err.find("--resume"), std::string::npos) << again.err;
}

TEST_F(Campaign, FinishedAndResumedGivesItsResultAgain) {
  const ProgramRun& first = tuned();
  const std::vector<std::string> before = traces("a.jsonl");
  const ProgramRun second = tune({"--json", "--resume"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(traces("a.jsonl"), before);
  EXPECT_EQ(OrderedJson::parse(first.out)["tasks"][0]["record"],
            OrderedJson::parse(second.out)["tasks"][0]["record"]);
}

TEST_F(Campaign, ResumedWithOtherOptionsSaysWhichDiffer) {
  ASSERT_EQ(tuned().exit_code, 0);
  const ProgramRun run = tune({"--resume", "--seed", "5"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("seed is 0 in the log, 5 now"), std::string::npos) << run.err;
}

TEST_F(Campaign, AppendedIsASecondOne) {
  ASSERT_EQ(tuned().exit_code, 0);
  const ProgramRun run = tune({"--append", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(
      OrderedJson::parse(run.out)["tasks"][0]["record"].get<std::string>().rfind("a.jsonl#2.", 0),
      0u);
  EXPECT_EQ(read_log(folder_.path("a.jsonl"))->headers.size(), 2u);
}

TEST_F(Campaign, WithoutTheDefaultHasNoDefaultTime) {
  const ProgramRun run = tune({"--no-default", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(OrderedJson::parse(run.out)["tasks"][0]["default_seconds"].is_null());
}

// As a whole in campaign_slow_test.cc: emptying caches of some hundred megabytes takes a while.
TEST_F(Campaign, OfColdCachesIsResumedOnlyAsSuch) {
  ASSERT_EQ(tuned().exit_code, 0);
  LogHeader header = read_log(folder_.path("a.jsonl"))->headers[0];
  header.options["cache"] = "cold";
  folder_.write("a.jsonl", print(header) + "\n");
  const ProgramRun hot = tune({"--resume"});
  EXPECT_EQ(hot.exit_code, 1);
  EXPECT_NE(hot.err.find("option cache"), std::string::npos) << hot.err;
}

TEST_F(Campaign, TunesEachSpecOfASuiteOnceAndReportsEachName) {
  folder_.write("suite.txt",
                std::string("a = ") + kGmm + "\nb = " + kOtherGmm + "\nc = " + kGmm + "\n");
  const ProgramRun run =
      run_dovetail({"tune", "@suite.txt", "--trials", "3", "--log", "s.jsonl", "--json"}, folder_);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const OrderedJson tasks = OrderedJson::parse(run.out)["tasks"];
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0]["record"], tasks[2]["record"]);
  EXPECT_EQ(traces("s.jsonl").size(), 6u);
  // A record of one of several tasks is found by the name that was printed.
  const ProgramRun show = run_dovetail({"show", tasks[1]["record"], "--what", "trace"}, folder_);
  EXPECT_EQ(show.exit_code, 0) << show.err;
  EXPECT_NE(show.out.find("loops:"), std::string::npos);
}

// A pointwise, a depthwise and a pointwise convolution: some candidates run them in one kernel.
TEST_F(Campaign, UnfusedRunsNoComputationInsideAnother) {
  constexpr const char* kChain =
      "E[m,y,x]+=X[i,y,x]*U[m,i];D[m,h,w]+=E[m,h+r-1,w+s-1]*V[m,r,s];"
      "Y[o,h,w]+=D[m,h,w]*Z[o,m]"
      ":m=16,y=8,x=8,h=8,w=8,i=4,r=3,s=3,o=16,const=U.V.Z";
  for (const char* variant : {"joint", "unfused"}) {
    const std::string log = std::string(variant) + ".jsonl";
    const ProgramRun tuned =
        run({"tune", kChain, "--trials", "12", "--variant", variant, "--log", log});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    bool inside = false;
    for (const std::string& trace : traces(log))
      inside |= trace.find("scope=workspace") != std::string::npos;
    EXPECT_EQ(inside, std::string_view(variant) == "joint") << variant;
  }
}

constexpr const char* kTinyGraph =
    "graph tiny\ninput x: f32[1,4,8,8]\nconstant w: f32[8,4,3,3]\n"
    "node conv = complex c2d:ci=4,co=8,h=8,w=8,k=3,p=1 (x, w) -> t: f32[1,8,8,8]\n"
    "node relu = elementwise Relu (t) -> y: f32[1,8,8,8]\noutput y\n";

// Weights of 3.5 MB, which half of no second level holds, and half of most last caches.
constexpr const char* kWideGraph =
    "graph wide\ninput x: f32[1,256,4,4]\nconstant w: f32[384,256,3,3]\n"
    "node conv = complex c2d:ci=256,co=384,h=4,w=4,k=3,p=1 (x, w) -> y: f32[1,384,4,4]\n"
    "output y\n";

TEST_F(Campaign, TimesAModelAsANetworkRunsItAndASpecHot) {
  folder_.write("tiny.graph", kTinyGraph);
  folder_.write("wide.graph", kWideGraph);
  const auto tuned = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"tune", "--trials", "1", "--log", "n.jsonl", "--append"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun done = run(arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return done.err;
  };
  EXPECT_NE(tuned({"wide.graph"})
                .find("caches: network:l3 (constants and a node's activations take 3.6 MB"),
            std::string::npos);
  EXPECT_EQ(tuned({"wide.graph", "--cache", "hot"}).find("caches:"), std::string::npos);
  tuned({kGmm});
  tuned({kGmm, "--cache", "network"});
  const Log log = *read_log(folder_.path("n.jsonl"));
  using enum Caches;
  EXPECT_NE(
      tuned({"tiny.graph"}).find("caches: hot (constants and a node's activations take 0.0 MB"),
      std::string::npos);
  const Caches expected[] = {network_l3, hot, hot, network_memory};
  for (const Record& record : log.records)
    EXPECT_EQ(record.caches, expected[record.campaign - 1]) << record.campaign;
  for (const LogHeader& header : log.headers)
    EXPECT_EQ(caches_of(header), expected[header.campaign - 1]) << header.campaign;
  const ProgramRun replayed = run({"replay", "wide.graph", "--log", "n.jsonl", "--strict"});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
  EXPECT_NE(replayed.err.find("with network:l3 caches"), std::string::npos) << replayed.err;
}

// And what was tuned by itself is replayed by itself.
TEST_F(Campaign, UnfusedRunsNodesOfAModelByThemselves) {
  folder_.write("tiny.graph", kTinyGraph);
  for (const char* variant : {"joint", "unfused"}) {
    const std::string log = std::string(variant) + ".jsonl";
    const ProgramRun tuned =
        run({"tune", "tiny.graph", "--trials", "3", "--variant", variant, "--log", log, "--json"});
    ASSERT_EQ(tuned.exit_code, 0) << tuned.err;
    const OrderedJson task = OrderedJson::parse(tuned.out)["tasks"][0];
    EXPECT_EQ(task["spec"].get<std::string>().ends_with("+relu"),
              std::string_view(variant) == "joint");
    const ProgramRun replayed = run({"replay", "tiny.graph", "--log", log, "--strict"});
    EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
  }
}

TEST_F(Campaign, ShowsAModelWithItsRegions) {
  folder_.write("tiny.graph", kTinyGraph);
  const ProgramRun show = run({"show", "tiny.graph"});
  ASSERT_EQ(show.exit_code, 0) << show.err;
  EXPECT_NE(show.out.find("# 2 nodes in 1 region:"), std::string::npos) << show.out;
  EXPECT_NE(show.out.find("# with relu\nnode conv = complex c2d:ci=4,co=8,h=8,w=8,k=3,p=1+relu"),
            std::string::npos)
      << show.out;
  folder_.write("again.graph", show.out);
  EXPECT_EQ(run({"show", "again.graph", "--what", "tasks"}).out,
            run({"show", "tiny.graph", "--what", "tasks"}).out);
  const ProgramRun wrong = run({"show", kGmm, "--what", "graph"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.err.find("expected MODEL.onnx or MODEL.graph"), std::string::npos) << wrong.err;
}

TEST_F(Campaign, TakesItsOptionsFromAnExperimentFile) {
  folder_.write("e.json", std::string(R"({"workloads": [")") + kGmm +
                              R"("], "trials": 3, "no_default": true, "log": "e.jsonl"})");
  const ProgramRun run =
      run_dovetail({"tune", "--experiment", "e.json", "--trials", "2", "--json"}, folder_);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const OrderedJson task = OrderedJson::parse(run.out)["tasks"][0];
  EXPECT_EQ(task["trials"], 2);  // the command line wins
  EXPECT_TRUE(task["default_seconds"].is_null());
  const Result<Log> log = read_log(folder_.path("e.jsonl"));
  ASSERT_TRUE(log);
  EXPECT_EQ(OrderedJson::parse(log->headers.front().experiment)["trials"], 3);
}

TEST_F(Campaign, ShowsARecordInEveryForm) {
  ASSERT_EQ(tuned().exit_code, 0);
  for (const char* what : {"space", "trace", "nest", "ir", "asm", "features", "layout"}) {
    const ProgramRun show = run({"show", "a.jsonl#1.2", "--what", what});
    EXPECT_EQ(show.exit_code, 0) << what << ": " << show.err;
    EXPECT_NE(show.out, "") << what;
  }
  const std::string space = run({"show", kGmm, "--what", "space"}).out;
  EXPECT_NE(space.find("\ndefault:\n  layout "), std::string::npos);
  EXPECT_NE(space.find("\n  loops: "), std::string::npos);
  const ProgramRun features = run({"show", "a.jsonl#1.2", "--what", "features", "--json"});
  EXPECT_GE(OrderedJson::parse(features.out)["features"]["a.jsonl#1.2"]["program.kernels"], 1);
  const ProgramRun trace = run({"show", "a.jsonl#1.2", "--what", "trace"});
  EXPECT_EQ(trace.out, traces("a.jsonl")[1]);
  folder_.write("trace.txt", trace.out);
  const ProgramRun nest = run({"show", kGmm, "--trace", "trace.txt", "--what", "nest"});
  EXPECT_EQ(nest.out, run({"show", "a.jsonl#1.2", "--what", "nest"}).out);
}

TEST_F(Campaign, MissingRecordIsNamed) {
  ASSERT_EQ(tuned().exit_code, 0);
  const ProgramRun show = run({"show", "a.jsonl#1.99"});
  EXPECT_EQ(show.exit_code, 1);
  EXPECT_EQ(count_lines(show.err), 1u);
  EXPECT_NE(show.err.find("99"), std::string::npos) << show.err;
}

}  // namespace
}  // namespace dovetail
