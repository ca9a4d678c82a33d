// SPDX-License-Identifier: Apache-2.0
// The verb report, as a user runs it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/files.h"
#include "core/record/log.h"
#include "search/compare/comparison.h"
#include "tests/tools/report/xml.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::ProgramRun;
using testing::read_xml;
using testing::run_dovetail;
using testing::StartedProgram;
using testing::TemporaryFolder;

constexpr const char* kHostile = "<script>alert(1)</script>&amp;'\"";

Record trial_of(const std::string& task, int64_t number, double seconds) {
  Record record;
  record.trial = number;
  record.task = task;
  record.target = "cpu";
  record.trace = "layout X: split(axis=m, factor=4) ; scope texture\nloops: vectorize(n)\n";
  record.is_default = number == 1;
  record.result.status = seconds > 0 ? Status::ok : Status::timeout;
  record.result.seconds = seconds;
  if (seconds > 0) record.result.samples = {seconds, seconds};
  if (seconds == 0) record.result.reason = "the run took longer than 0." + std::to_string(number);
  record.result.times = {.build_seconds = 0.01, .run_seconds = 0.02};
  record.strategy = "random";
  record.elapsed_seconds = static_cast<double>(number);
  return record;
}

LogHeader header_of(int64_t campaign) {
  LogHeader header;
  header.tool = "dovetail 0.1.0";
  header.campaign = campaign;
  header.id = "id" + std::to_string(campaign);
  header.started = "2026-11-20T08:15:00Z";
  header.target = "cpu";
  header.device = {"EPYC", "x86_64/16", {}};
  header.driver = "LLVM 19.1.7";
  header.options = {{"strategy", std::string("random")},
                    {"tasks", std::vector<std::string>{"gmm:m=8,n=8,k=8"}}};
  return header;
}

class ReportVerb : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::vector<Record>& records,
             const LogHeader& header = header_of(1)) const {
    std::string text = print(header) + "\n";
    for (const Record& record : records) text += print(record) + "\n";
    folder_.write(name, text);
  }
  ProgramRun report(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "report");
    return run_dovetail(arguments, folder_);
  }
  std::string text(const std::string& name) const { return *read_file(folder_.path(name)); }
  // The page of a log, which a strict parser reads.
  testing::XmlText page_of(const std::string& log) const {
    const ProgramRun run = report({log, "-o", "page.html"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, "page.html\n");
    const testing::XmlText xml = read_xml(text("page.html"));
    EXPECT_EQ(xml.error, "");
    return xml;
  }

  TemporaryFolder folder_;
};

bool holds(const testing::XmlText& xml, const std::string& what) {
  return xml.text.find(what) != std::string::npos;
}

TEST_F(ReportVerb, HasEveryTaskAndItsBest) {
  std::vector<Record> records;
  for (int i = 1; i <= 12; ++i) {
    const std::string task = "gmm:m=" + std::to_string(8 * i) + ",n=8,k=8";
    for (const double seconds : {4e-6, 2e-6, 0.0}) {
      records.push_back(trial_of(task, int64_t(records.size()) % 3 + 1, seconds));
    }
  }
  write("a.jsonl", records);
  const auto xml = page_of("a.jsonl");
  for (int i = 1; i <= 12; ++i) {
    EXPECT_TRUE(holds(xml, "gmm:m=" + std::to_string(8 * i) + ",n=8,k=8")) << i;
  }
  EXPECT_TRUE(holds(xml, "2.00×")) << "the best against the default trace";
  EXPECT_TRUE(holds(xml, "#1.2")) << "the record";
  EXPECT_GE(xml.elements.at("svg"), 12) << "a curve a task";
}

TEST_F(ReportVerb, NeedsNothingFromOutside) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  page_of("a.jsonl");
  const std::string html = text("page.html");
  for (const char* outside : {"http://", "https://", "src=", "@import", "url(", "<link"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

TEST_F(ReportVerb, TheSameLogGivesTheSameBytes) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  page_of("a.jsonl");
  const std::string first = text("page.html");
  page_of("a.jsonl");
  EXPECT_EQ(text("page.html"), first);
}

TEST_F(ReportVerb, NamesInLogsAreTextAndNeverMarkup) {
  LogHeader header = header_of(1);
  header.tool = header.device.name = header.driver = header.started = kHostile;
  header.options["note"] = std::string(kHostile);
  header.experiment = Json(kHostile).dump();
  Record best = trial_of(kHostile, 1, 4e-6);
  best.trace = "layout <b>: split(x)\n" + std::string(kHostile);
  Record failed = trial_of(kHostile, 2, 0);
  failed.result.reason = kHostile;
  best.strategy = kHostile;
  write("a.jsonl", {best, failed}, header);
  const auto xml = page_of("a.jsonl");
  EXPECT_EQ(xml.elements.at("script"), 1) << "the page's own";
  EXPECT_FALSE(xml.elements.contains("b") && xml.elements.at("b") > 6) << "cards only";
  EXPECT_TRUE(holds(xml, kHostile));
}

TEST_F(ReportVerb, CountsFailuresByCauseWhateverNumbersTheyName) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 0), trial_of("gmm:m=8,n=8,k=8", 2, 0)});
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "2 of 2 trials failed"));
  EXPECT_TRUE(holds(xml, "the run took longer than #\n"));
  EXPECT_TRUE(holds(xml, "no valid candidate"));
}

TEST_F(ReportVerb, ACampaignWithoutRecordsIsAPage) {
  write("a.jsonl", {});
  EXPECT_TRUE(holds(page_of("a.jsonl"), "Nothing has been measured yet."));
}

TEST_F(ReportVerb, ShowsHowWellTheCostModelDid) {
  const Record record = trial_of("gmm:m=8,n=8,k=8", 1, 4e-6);
  std::string log = print(header_of(1)) + "\n" + print(record) + "\n";
  for (int i = 1; i <= 3; ++i) {
    RoundRecord round;
    round.round = i;
    round.task = record.task;
    round.target = "cpu";
    round.cost_model = "xgboost";
    round.kendall_tau = 0.25 * i;
    log += print(round) + "\n";
  }
  folder_.write("a.jsonl", log);
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "xgboost: Kendall's tau"));
  EXPECT_TRUE(holds(xml, "0.50")) << "the mean of tau";
  EXPECT_TRUE(holds(xml, "0.75")) << "the last one";
  EXPECT_FALSE(holds(xml, "skipped"));
}

TEST_F(ReportVerb, ADefaultTraceThatWinsIsExactlyAsFastAsItself) {
  Record again = trial_of("gmm:m=8,n=8,k=8", 1, 5e-6);
  again.kind = RecordKind::confirmation;
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), again});
  EXPECT_TRUE(holds(page_of("a.jsonl"), "1.00×"));
}

TEST_F(ReportVerb, SeveralCampaignsOfATaskMakeABand) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), trial_of("gmm:m=8,n=8,k=8", 2, 2e-6)});
  LogHeader other = header_of(1);
  other.id = "other";
  write("b.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 5e-6), trial_of("gmm:m=8,n=8,k=8", 2, 3e-6)},
        other);
  ASSERT_EQ(report({"a.jsonl", "b.jsonl", "-o", "page.html"}).exit_code, 0);
  const auto xml = read_xml(text("page.html"));
  EXPECT_EQ(xml.error, "");
  EXPECT_TRUE(holds(xml, "random (×2)"));
  EXPECT_GE(xml.elements.at("polygon"), 1);
}

TEST_F(ReportVerb, PercentagesComeFromWhatTuneOrBenchPrinted) {
  const std::string task = "gmm:m=8,n=8,k=8";
  write("a.jsonl", {trial_of(task, 1, 4e-6)});
  folder_.write("results.json", R"({"tasks":[{"name":"small_one","spec":"gmm:m=8,n=8,k=8",
      "best_seconds":8e-6,"best_gflops":0.128,"percent_of_peak":40.0,"percent_of_roof":45.0}]})");
  ASSERT_EQ(report({"a.jsonl", "-o", "page.html", "--results", "results.json"}).exit_code, 0);
  const auto xml = read_xml(text("page.html"));
  EXPECT_TRUE(holds(xml, "small_one"));
  EXPECT_TRUE(holds(xml, "80 %")) << "twice as fast, twice the share of the peak";
  EXPECT_TRUE(holds(xml, "90 %"));
}

TEST_F(ReportVerb, FiguresAreFilesThatDrawAgain) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), trial_of("gmm:m=8,n=8,k=8", 2, 2e-6)});
  const ProgramRun run = report({"a.jsonl", "-o", "page.html", "--figures", "figures", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["file"], "page.html");
  EXPECT_EQ(read_xml(text("figures/speedups.svg")).error, "");
  EXPECT_EQ(text("figures/speedups.csv"), "label,series,value\n\"gmm:m=8,n=8,k=8\",best,2\n");
  EXPECT_NE(text("figures/tasks.tex").find("\\toprule"), std::string::npos);
  EXPECT_NE(text("figures/redraw.py").find("\"name\":\"speedups\""), std::string::npos);
  if (run.err.empty()) {  // else this program was built without librsvg, and says so
    EXPECT_TRUE(text("figures/speedups.pdf").starts_with("%PDF-"));
  } else {
    EXPECT_NE(run.err.find("no PDF files:"), std::string::npos) << run.err;
  }
}

TEST_F(ReportVerb, RefusesBadInputInOneLineAndWritesNothing) {
  write("a.jsonl", {});
  folder_.write("garbage", "hello\n");
  folder_.write("empty", "");
  folder_.write("list.json", "[1]");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"-o", "p.html"}, "no LOG or DIR given"},
      {{"a.jsonl"}, "-o FILE.html is missing"},
      {{"nothing.jsonl", "-o", "p.html"}, "nothing.jsonl does not exist"},
      {{"garbage", "-o", "p.html"}, "garbage is not a log: line 1"},
      {{"empty", "-o", "p.html"}, "the file is empty"},
      {{"a.jsonl", "a.jsonl", "-o", "p.html"}, "a.jsonl is given twice"},
      {{"a.jsonl", "-o", "a.jsonl"}, "is the log itself"},
      {{"a.jsonl", "-o", "no/folder/p.html"}, "cannot write no/folder/p.html"},
      {{"a.jsonl", "-o", "p.html", "--results", "list.json"}, "expected what tune --json"},
      {{"a.jsonl", "-o", "p.html", "--every", "0"}, "expected a whole number of at least 1"},
  };
  const std::vector<std::string> before = folder_.files();
  for (const auto& [arguments, message] : cases) {
    const ProgramRun run = report(arguments);
    EXPECT_EQ(run.exit_code, 1) << message;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(testing::count_lines(run.err), 1u) << run.err;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    EXPECT_EQ(folder_.files(), before) << message;
  }
}

Series falling(double from, double to) {
  return {{1, 10, 100}, {from, (from + to) / 2, to}, {from, to, to}, {from, from, from}};
}

Comparison small_comparison() {
  Comparison comparison;
  comparison.kind = "simulated";
  comparison.score_is = "way_to_optimum";
  comparison.seeds = {0, 1};
  comparison.confidence = 0.95;
  comparison.spaces = {{.name = "c2d_1",
                        .spec = "c2d:ci=8,co=8,h=8,w=8,k=3",
                        .points = 20000,
                        .valid = 20000,
                        .optimum_seconds = 1e-6,
                        .trials = 100},
                       {.name = "gmm_1",
                        .spec = "gmm:m=8,n=8,k=8",
                        .points = 20000,
                        .valid = 20000,
                        .optimum_seconds = 2e-6,
                        .trials = 100}};
  for (const std::string name : {"random", kHostile}) {
    ComparedStrategy strategy;
    strategy.name = name;
    if (name == "random") strategy.score = 0.25;
    strategy.score_curve = {{0.5, 1}, {0.1, 0.25}, {0.05, 0.2}, {0.15, 0.3}};
    strategy.quality = {{.share = 0.95, .runs = 4, .reached = 1}};
    for (const ComparedSpace& space : comparison.spaces) {
      StrategyOnSpace& on = strategy.spaces.emplace_back();
      on.space = space.name;
      on.over_trials = on.over_seconds = falling(4e-6, space.optimum_seconds);
    }
    comparison.strategies.push_back(std::move(strategy));
  }
  comparison.pairs = {{.a = "random", .b = kHostile, .n = 4, .p = 0.03, .p_holm = 0.03}};
  comparison.ranks = {4.0, 0.04, 1.4, {1, 2}, {{0, 1}}};
  return comparison;
}

TEST_F(ReportVerb, AComparisonIsAPageWithEverySpaceAndStrategy) {
  std::filesystem::create_directory(folder_.folder() / "out");
  folder_.write("out/comparison.json", print_json(small_comparison()));
  const ProgramRun run = report({"out", "-o", "page.html", "--figures", "figures"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto xml = read_xml(text("page.html"));
  EXPECT_EQ(xml.error, "");
  EXPECT_EQ(xml.elements.at("script"), 1) << "the page's own";
  for (const char* what : {"c2d_1", "gmm_1", kHostile, "critical difference 1.40", "censored"}) {
    EXPECT_TRUE(holds(xml, what)) << what;
  }
  EXPECT_TRUE(text("figures/scores.csv").starts_with("label,value,low,high\nrandom,0.25,"));
  EXPECT_EQ(read_xml(text("figures/reached.svg")).error, "");
  // All 51 targets of both spaces are met by the last trial.
  EXPECT_NE(text("figures/reached.csv").find("random,100,100,,"), std::string::npos);
}

TEST_F(ReportVerb, RefusesAFolderWithoutAComparison) {
  std::filesystem::create_directory(folder_.folder() / "empty");
  std::filesystem::create_directory(folder_.folder() / "wrong");
  folder_.write("wrong/comparison.json", R"({"version":1})");
  write("a.jsonl", {});
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"empty", "-o", "p.html"}, "empty has no comparison.json"},
      {{"wrong", "-o", "p.html"}, "wrong/comparison.json: field kind is missing"},
      {{"wrong", "a.jsonl", "-o", "p.html"}, "wrong is a folder, expected it alone"},
      {{"wrong", "-o", "p.html", "--follow"}, "--follow is of logs"},
  };
  for (const auto& [arguments, message] : cases) {
    const ProgramRun run = report(arguments);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.path("p.html")));
  }
}

// A writer's lock on a log, as tune holds it.
class Writer {
 public:
  explicit Writer(const std::string& path)
      : file_(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)) {
    EXPECT_EQ(flock(file_, LOCK_EX | LOCK_NB), 0);
  }
  ~Writer() { end(); }
  void append(const Record& record) const {
    const std::string line = print(record) + "\n";
    EXPECT_EQ(::write(file_, line.data(), line.size()), ssize_t(line.size()));
  }
  void end() {
    if (file_ >= 0) close(file_);
    file_ = -1;
  }

 private:
  int file_ = -1;
};

bool wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 1200 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return condition();
}

class Follow : public ReportVerb {
 protected:
  bool page_has(const std::string& what) const {
    const auto page = read_file(folder_.path("page.html"));
    return page && page->find(what) != std::string::npos;
  }
  std::vector<std::string> arguments() const {
    return {"report", "a.jsonl", "-o", "page.html", "--follow", "--every", "1"};
  }
};

TEST_F(Follow, TakesInWhatIsAppendedAndEndsWithTheCampaign) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  Writer writer(folder_.path("a.jsonl"));
  StartedProgram program(arguments(), folder_);
  ASSERT_TRUE(wait_for([&] { return page_has("http-equiv=\"refresh\""); }));
  writer.append(trial_of("gmm:m=16,n=8,k=8", 1, 2e-6));
  ASSERT_TRUE(wait_for([&] { return page_has("gmm:m=16,n=8,k=8"); }));
  EXPECT_TRUE(program.is_running());
  writer.end();
  const ProgramRun run = program.wait();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(page_has("http-equiv=\"refresh\"")) << "the last page stays as it is";
}

TEST_F(Follow, EndsAtAnInterrupt) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  const Writer writer(folder_.path("a.jsonl"));
  StartedProgram program(arguments(), folder_);
  ASSERT_TRUE(wait_for([&] { return page_has("http-equiv=\"refresh\""); }));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_FALSE(page_has("http-equiv=\"refresh\""));
}

TEST_F(Follow, WithoutACampaignWritesThePageOnce) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  const ProgramRun run = run_dovetail(arguments(), folder_);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("no campaign is writing"), std::string::npos) << run.err;
  EXPECT_TRUE(page_has("gmm:m=8,n=8,k=8"));
}

}  // namespace
}  // namespace dovetail
