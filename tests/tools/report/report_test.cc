// SPDX-License-Identifier: Apache-2.0
// The verb report, as a user runs it on logs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/record/gzip.h"
#include "tests/tools/report/report_verb.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::header_of;
using testing::holds;
using testing::kHostile;
using testing::ProgramRun;
using testing::read_xml;
using testing::ReportVerb;
using testing::trial_of;

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

TEST_F(ReportVerb, ACompressedLogHasThePageOfThePlainOne) {
  const std::string task = "gmm:m=8,n=8,k=8";
  write("a.jsonl", {trial_of(task, 1, 2e-6), trial_of(task, 2, 1e-6)});
  ASSERT_EQ(report({"a.jsonl", "-o", "plain.html"}).exit_code, 0);
  folder_.write("a.jsonl", gzip(text("a.jsonl")));
  const ProgramRun run = report({"a.jsonl", "-o", "compressed.html"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(text("compressed.html"), text("plain.html"));
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

TEST_F(ReportVerb, PercentagesComeFromTheMachineThatTheLogHas) {
  LogHeader header = header_of(1);
  header.machine = Machine{.peak_gflops = 0.512, .levels = {{.bytes_per_second = 3.84e8}}};
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)}, header);
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "50.0")) << "1024 FLOPs in 4 us";
  EXPECT_TRUE(holds(xml, "50 %"));
}

TEST_F(ReportVerb, WithoutAMachineItSaysWherePercentagesComeFrom) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6)});
  EXPECT_TRUE(holds(page_of("a.jsonl"), "the log does not hold what the machine can do"));
}

TEST_F(ReportVerb, ARegionThatMovesDataHasBytesAndNoFlops) {
  Record record = trial_of("B[a,b]=A[b,a]:a=32,b=32", 1, 1e-6);
  record.trace = "layout A:\nlayout B:\nloops:\n";
  write("a.jsonl", {record});
  ASSERT_EQ(report({"a.jsonl", "-o", "page.html", "--figures", "figures"}).exit_code, 0);
  EXPECT_TRUE(
      text("figures/tasks.csv")
          .starts_with("task,trials,failed,default (µs),best (µs),± (%),× default,GB/s,record\n"))
      << text("figures/tasks.csv");
  EXPECT_NE(text("figures/gflops.csv").find(":a=32,b=32\",best,\n"), std::string::npos)
      << "absent, and not 0";
}

TEST_F(ReportVerb, DriftStandsBesideTheSpeedUp) {
  Record sentinel = trial_of("gmm:m=8,n=8,k=8", 1, 6e-6);
  sentinel.kind = RecordKind::sentinel;
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), sentinel});
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "50.0 %"));
  EXPECT_LT(xml.text.find("drift of the default's time"), xml.text.find("How to use this"));
  EXPECT_NE(text("page.html").find("card warn"), std::string::npos);
}

TEST_F(ReportVerb, RegionsThatAnOlderLogDoesNotNameGetNames) {
  LogHeader header = header_of(1);
  header.layers = {{"conv", "gmm:m=8,n=8,k=8", 1}};
  Record late = trial_of("B[a,b]=A[b,a]:a=32,b=32", 1, 1e-6);
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), late}, header);
  EXPECT_TRUE(holds(page_of("a.jsonl"), "region 1"));
  EXPECT_NE(text("page.html").find("<small>B[a,<wbr/>b]"), std::string::npos) << "below its name";
}

TEST_F(ReportVerb, NamesTheLayoutsThatWonAndHowOften) {
  std::vector<Record> records;
  for (const char* task : {"c2d:ci=32,co=32,h=8,w=8,k=3,p=1", "c2d:ci=32,co=32,h=4,w=4,k=3,p=1"}) {
    Record record = trial_of(task, 1, 1e-6);
    record.trace =
        "layout X: split(axis=i, factor=16) reorder(n, i.0, h, w, i.1)\n"
        "layout W: split(axis=o, factor=16) split(axis=i, factor=16) "
        "reorder(o.0, i.0, kh, kw, i.1, o.1)\n"
        "layout Y: reorder(n, h, w, o)\nloops:\n";
    records.push_back(record);
  }
  write("a.jsonl", records);
  ASSERT_EQ(report({"a.jsonl", "-o", "page.html", "--figures", "figures"}).exit_code, 0);
  const std::string csv = text("figures/layouts.csv");
  EXPECT_TRUE(csv.starts_with("layout,of an,tasks,share (%),which\nNHWC,output,2,100,")) << csv;
  EXPECT_NE(csv.find("\nnChw16c,input,2,100,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nOIhw16i16o,constant,2,100,"), std::string::npos) << csv;
}

TEST_F(ReportVerb, FiguresAreFiles) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), trial_of("gmm:m=8,n=8,k=8", 2, 2e-6)});
  const ProgramRun run = report({"a.jsonl", "-o", "page.html", "--figures", "figures", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["file"], "page.html");
  EXPECT_EQ(read_xml(text("figures/speedups.svg")).error, "");
  EXPECT_EQ(text("figures/speedups.csv"), "label,series,value\n\"gmm:m=8,n=8,k=8\",best,2\n");
  EXPECT_NE(text("figures/tasks.tex").find("\\toprule"), std::string::npos);
  if (run.err.empty()) {  // else this program was built without librsvg, and says so
    EXPECT_TRUE(text("figures/speedups.pdf").starts_with("%PDF-"));
  } else {
    EXPECT_NE(run.err.find("no PDF files:"), std::string::npos) << run.err;
  }
}

// A pixel is a 96th of an inch.
TEST_F(ReportVerb, FiguresAreAsWideAsAPapersColumn) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), trial_of("gmm:m=8,n=8,k=8", 2, 2e-6)});
  const ProgramRun run =
      report({"a.jsonl", "-o", "page.html", "--figures", "figures", "--figure-width", "3.25"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* name : {"speedups", "best-trials-gmm-m-8-n-8-k-8", "time"}) {
    const std::string svg = text(std::string("figures/") + name + ".svg");
    EXPECT_NE(svg.find("width=\"312\""), std::string::npos) << name << svg.substr(0, 200);
  }
}

TEST_F(ReportVerb, FiguresHaveNumbersAndSectionsHaveContent) {
  write("a.jsonl", {trial_of("gmm:m=8,n=8,k=8", 1, 4e-6), trial_of("gmm:m=8,n=8,k=8", 2, 2e-6)});
  const auto xml = page_of("a.jsonl");
  EXPECT_TRUE(holds(xml, "Figure 1."));
  EXPECT_TRUE(holds(xml, "Figure 2."));
  EXPECT_TRUE(holds(xml, "0 of 2 trials failed"));
  for (const char* empty : {"Cost model", "Drift", "What failed, and why"})
    EXPECT_FALSE(holds(xml, empty)) << empty;
}

// The default's line is at its first time, as the curve is: at the fresh time, 1 us, it would lie
// below all that the search found.
TEST_F(ReportVerb, TheDefaultIsNeverDrawnBelowTheCurveItBegins) {
  const std::string task = "gmm:m=8,n=8,k=8";
  Record again = trial_of(task, 1, 1e-6);
  again.kind = RecordKind::confirmation;
  write("a.jsonl", {trial_of(task, 1, 4e-6), trial_of(task, 2, 2e-6), again});
  ASSERT_EQ(report({"a.jsonl", "-o", "page.html", "--figures", "figures"}).exit_code, 0);
  const std::string csv = text("figures/best-trials-gmm-m-8-n-8-k-8.csv");
  EXPECT_NE(csv.find("default,,4,,"), std::string::npos) << csv;
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
      {{"a.jsonl", "-o", "p.html", "--figures", "f", "--figure-width", "0.5"},
       "--figure-width 0.5 inches, expected 2 to 20"},
      {{"a.jsonl", "-o", "p.html", "--figure-width", "3"}, "which is missing"},
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

}  // namespace
}  // namespace dovetail
