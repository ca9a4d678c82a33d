// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using Json = nlohmann::json;
using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

constexpr const char* kSpec = "gmm:m=16,n=16,k=16";

#if DOVETAIL_HAVE_LLVM

// a.jsonl: two trials, measured once for all tests.
void write_log(const TemporaryFolder& folder) {
  static const std::string kLog = [&] {
    EXPECT_EQ(run_dovetail({"tune", kSpec, "--trials", "2", "--log", "a.jsonl"}, folder).exit_code,
              0);
    return read_file(folder.path("a.jsonl")).value_or("");
  }();
  folder.write("a.jsonl", kLog);
}

TEST(Bench, TimesTheBestOfOtherLogsBesideOurs) {
  const TemporaryFolder folder;
  folder.write("two.txt", "a = gmm:m=16,n=16,k=16\nb = gmm:m=8,n=16,k=16\n");
  const auto tune = [&](const std::string& what, const std::string& log) {
    return run_dovetail({"tune", what, "--trials", "1", "--log", log}, folder).exit_code;
  };
  ASSERT_EQ(tune("@two.txt", "a.jsonl"), 0);
  ASSERT_EQ(tune(kSpec, "b.jsonl"), 0);
  const std::vector<std::string> bench = {
      "bench",     "@two.txt", "--log",     "a.jsonl", "--against",  "none",  "--beside",
      "b=b.jsonl", "--beside", "hand=none", "--save",  "rows.jsonl", "--json"};
  const ProgramRun first = run_dovetail(bench, folder);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.err.find("dovetail: b: nothing from b beside it: no record"), std::string::npos)
      << first.err;
  const Json result = Json::parse(first.out);
  const Json& row = result["rows"][0];
  EXPECT_EQ(row["peers"], Json::object());
  EXPECT_EQ(row["beside"]["b"]["match"], "exact");
  EXPECT_EQ(row["beside"]["b"]["record"], "b.jsonl#1.1");
  EXPECT_NEAR(row["beside"]["b"]["ratio"].get<double>() * row["seconds"].get<double>(),
              row["beside"]["b"]["seconds"].get<double>(), 1e-12);
  EXPECT_EQ(row["beside"]["hand"]["record"], nullptr);
  EXPECT_GT(row["beside"]["hand"]["seconds"], 0);
  EXPECT_EQ(result["rows"][1]["beside"]["b"], nullptr);
  EXPECT_EQ(result["rows"][1]["best_beside"], "hand");
  EXPECT_EQ(result["geomean_beside"]["b"], row["beside"]["b"]["ratio"]);
  EXPECT_GT(result["geomean_best_beside"], 0);
  // Saved rows are not measured again.
  const Json again = Json::parse(run_dovetail(bench, folder).out);
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(again["rows"][i]["seconds"], result["rows"][i]["seconds"]);
}

TEST(Bench, TakesDefaultTracesWhenAskedFor) {
  const TemporaryFolder folder;
  const ProgramRun run =
      run_dovetail({"bench", kSpec, "--log", "none", "--against", "none"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("default traces, as --log none asks"), std::string::npos) << run.err;
  EXPECT_EQ(run.out.find("ratio"), std::string::npos) << run.out;
}

TEST(Bench, OfOtherCachesThanHotIsOfOurKernelsAlone) {
  const TemporaryFolder folder;
  const auto bench = [&](const std::string& against) {
    return run_dovetail(
        {"bench", kSpec, "--log", "none", "--cache", "network", "--json", "--against", against},
        folder);
  };
  const ProgramRun run = bench("none");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["caches"], "network:memory");
  const ProgramRun beside_peers = bench("onednn");
  EXPECT_EQ(beside_peers.exit_code, 1);
  EXPECT_NE(beside_peers.err.find("--cache network:memory times our kernels alone; expected "
                                  "--against none"),
            std::string::npos)
      << beside_peers.err;
}

TEST(Bench, RefusesALogBesideThatItCannotHave) {
  const TemporaryFolder folder;
  const auto error = [&](std::vector<std::string> beside) {
    std::vector<std::string> arguments = {"bench", kSpec, "--log", "none", "--against", "none"};
    for (const std::string& given : beside) {
      arguments.insert(arguments.end(), {"--beside", given});
    }
    const ProgramRun run = run_dovetail(arguments, folder);
    EXPECT_EQ(run.exit_code, 1);
    return run.err;
  };
  EXPECT_EQ(error({"nohw"}), "dovetail: bench: --beside nohw: expected NAME=LOG\n");
  EXPECT_EQ(error({"a=none", "a=b.jsonl"}),
            "dovetail: bench: --beside a=b.jsonl: the name a is given twice\n");
  EXPECT_EQ(error({"a=b.jsonl"}), "dovetail: log b.jsonl does not exist\n");
}

TEST(Bench, ComparesWithTimesFromElsewhere) {
  const TemporaryFolder folder;
  folder.write("peers.jsonl", R"({"spec": "gmm:m=16,n=16,k=16", "peer": "them", "seconds": 1})"
                              "\n");
  write_log(folder);
  const ProgramRun run = run_dovetail(
      {"bench", kSpec, "--log", "a.jsonl", "--against", "peers.jsonl", "--json"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json row = Json::parse(run.out)["rows"][0];
  EXPECT_EQ(row["spec"], kSpec);
  EXPECT_EQ(row["peers"], Json({{"them", 1}}));
  EXPECT_EQ(row["best_peer"], "them");
  EXPECT_GT(row["seconds"], 0);
  EXPECT_GT(row["row_major_seconds"], 0);
  EXPECT_NEAR(row["ratio"].get<double>() * row["seconds"].get<double>(), 1, 1e-9);
  EXPECT_EQ(row["algorithm"], "direct");
  EXPECT_EQ(row["match"], "exact");
  EXPECT_EQ(row["max_abs_error"].is_number(), true);
}

// Times from elsewhere find a region whatever its tensors are called.
TEST(Bench, ShowsBytesOfARegionWithoutAProduct) {
  const TemporaryFolder folder;
  folder.write("peers.jsonl", R"({"spec": "Y[i]=max(X[i],0):i=64", "peer": "them", "seconds": 1})"
                              "\n");
  const std::vector<std::string> bench = {"bench",     "Q[k]=relu(P[k]):k=64", "--log", "none",
                                          "--against", "peers.jsonl"};
  const ProgramRun run = run_dovetail(bench, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("GB/s"), std::string::npos) << run.out;
  std::vector<std::string> as_json = bench;
  as_json.emplace_back("--json");
  const Json row = Json::parse(run_dovetail(as_json, folder).out)["rows"][0];
  EXPECT_EQ(row["peers"], Json({{"them", 1}}));
  EXPECT_TRUE(row["gflops"].is_null());
  EXPECT_TRUE(row["percent_of_peak"].is_null());
  EXPECT_NEAR(row["gbytes_per_second"].get<double>() * row["seconds"].get<double>(),
              2 * 64 * 4 * 1e-9, 1e-15);
}

TEST(Bench, RefusesPeersThatItCannotHave) {
  const TemporaryFolder folder;
  write_log(folder);
  const ProgramRun run =
      run_dovetail({"bench", kSpec, "--log", "a.jsonl", "--against", "mkl"}, folder);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(
      run.err,
      "dovetail: bench: unknown peer 'mkl'; expected onednn, libtorch, openblas, none, or a FILE "
      "of external times\n");
}

TEST(Bench, WithoutThePeersProgramSaysHowToGetIt) {
  const TemporaryFolder folder;
  write_log(folder);
  const ProgramRun run = testing::run_copied_dovetail({"bench", kSpec, "--log", "a.jsonl"}, folder);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
  for (const char* what : {"dovetail-peers not found", "scripts/install-dependencies --peers",
                           "cmake --build --preset release", "--against none"}) {
    const size_t at = run.err.find(what);
    EXPECT_NE(at, std::string::npos) << what << " in " << run.err;
    EXPECT_EQ(run.err.find(what, at + 1), std::string::npos) << "twice: " << run.err;
  }
}

TEST(Bench, SaysWhatItTakesTheDefaultTraceFor) {
  const TemporaryFolder folder;
  folder.write("peers.json", R"([{"spec": "gmm:m=4,n=4,k=4", "peer": "them", "seconds": 1}])");
  write_log(folder);
  const ProgramRun run = run_dovetail(
      {"bench", "gmm:m=4,n=4,k=4", "--log", "a.jsonl", "--against", "peers.json"}, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("default: no record"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("geometric means: ratio"), std::string::npos) << run.out;
}

#endif

}  // namespace
}  // namespace dovetail
