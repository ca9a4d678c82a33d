// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/record/export/measured_space.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::ProgramRun;
using testing::run_dovetail;
using testing::TemporaryFolder;

// Fewer programs than points must not look like a search that gave up.
void expect_says_all_is_measured(const std::string& err, size_t programs) {
  EXPECT_NE(err.find(fmt::format(" points, {} different programs: all measured\n", programs)),
            std::string::npos)
      << err;
  EXPECT_EQ(err.find("proposes nothing new"), std::string::npos) << err;
}

TEST(Bruteforce, MeasuresEveryPointOnceAndKeepsTheSpace) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {"bruteforce", "gmm:m=16,n=32,k=16", "--points", "40",
                                              "-o",         folder.path("out"),   "--json"};
  const ProgramRun run = run_dovetail(arguments, folder);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = nlohmann::json::parse(run.out);
  const MeasuredSpace space =
      *read_measured_space((folder.folder() / "out" / "space.json.gz").string());
  EXPECT_EQ(result["points"], space.points.size());
  EXPECT_GE(space.points.size(), 10U);
  EXPECT_GE(result["layouts"], 2);
  EXPECT_EQ(space.task, "gmm:m=16,n=32,k=16");
  EXPECT_EQ(space.space, "reduced");
  EXPECT_EQ(space.most_points, 40);
  // A search is answered by it, without the device.
  const ProgramRun search = run_dovetail(
      {"tune", space.task, "--space", "reduced", "--points", "40", "--results-from",
       "out/space.json.gz", "--log", folder.path("a.jsonl"), "--trials", "1000", "--json"},
      folder);
  ASSERT_EQ(search.exit_code, 0) << search.err;
  const nlohmann::json task = nlohmann::json::parse(search.out)["tasks"][0];
  EXPECT_EQ(task["trials"], space.points.size());
  EXPECT_EQ(task["best_seconds"], result["best_seconds"]);
  expect_says_all_is_measured(run.err, space.points.size());
  // Again: nothing is left to measure, and the file says the same.
  ASSERT_EQ(run_dovetail(arguments, folder).exit_code, 0);
  EXPECT_EQ(read_measured_space((folder.folder() / "out" / "space.json.gz").string())->points,
            space.points);
}

// Its log is that of one space, of which it has no option of `tune` to make two.
TEST(Bruteforce, RefusesAFolderOfAnotherSpaceByItsOwnOptions) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  const auto error_of = [&](const char* spec, const char* points) {
    return run_dovetail({"bruteforce", spec, "--points", points, "-o", "out"}, folder).err;
  };
  error_of("gmm:m=8,n=8,k=8", "8");
  EXPECT_EQ(error_of("gmm:m=8,n=8,k=8", "12"),
            "dovetail: bruteforce: -o out holds --points 8, and --points 12 is asked; give "
            "--points 8, or another -o\n");
  EXPECT_EQ(error_of("gmm:m=8,n=8,k=16", "8"),
            "dovetail: bruteforce: -o out holds gmm:m=8,n=8,k=8, and gmm:m=8,n=8,k=16 is asked; "
            "give gmm:m=8,n=8,k=8, or another -o\n");
  std::filesystem::create_directory(folder.folder() / "tuned");
  run_dovetail({"tune", "gmm:m=8,n=8,k=8", "--trials", "1", "--log", "tuned/log.jsonl"}, folder);
  const std::string other =
      run_dovetail({"bruteforce", "gmm:m=8,n=8,k=8", "--points", "8", "-o", "tuned"}, folder).err;
  EXPECT_NE(other.find("bruteforce: -o tuned holds another campaign: "), std::string::npos)
      << other;
  EXPECT_EQ(other.find("--append"), std::string::npos) << other;
}

// Two points are too few for `compare`, which refuses them before any run.
TEST(Bruteforce, SaysThatASpaceIsTooSmallToBeScored) {
  if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& points) {
    const ProgramRun run = run_dovetail(
        {"bruteforce", "gmm:m=16,n=32,k=16", "--points", points, "-o", points}, folder);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.err;
  };
  const std::string few = error_of("2");
  EXPECT_NE(few.find("gmm:m=16,n=32,k=16: `compare` cannot score this space: "), std::string::npos)
      << few;
  EXPECT_EQ(error_of("200").find("cannot score"), std::string::npos);
}

}  // namespace
}  // namespace dovetail
