// SPDX-License-Identifier: Apache-2.0
// The verb `run`: arrays in, arrays out, checked; and what it refuses.
#include "campaign/run/run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/run/npy.h"
#include "tests/support/right.h"
#include "tests/tools/run_program.h"

namespace dovetail {
namespace {

using testing::count_lines;
using testing::ProgramRun;
using testing::right;
using testing::run_dovetail;

constexpr const char* kShifted = "Y[i,j] = B[j] + max(A[i,j], 0) : i=2,j=3";

class RunVerb : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  }
  void write(const std::string& name, std::vector<int64_t> shape, std::vector<float> values) {
    std::filesystem::create_directories(folder_.folder() / "in");
    const NDArray array(ElementType::f32, std::move(shape), std::move(values));
    ASSERT_TRUE(write_npy(folder_.path("in/" + name), array));
  }
  ProgramRun run(const std::vector<std::string>& arguments) {
    return run_dovetail(arguments, folder_);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(RunVerb, ComputesARegionOnArraysInTheOrderOfItsText) {
  write("input_0.npy", {3}, {10, 20, 30});              // B
  write("input_1.npy", {2, 3}, {-1, 2, -3, 4, -5, 6});  // A
  const ProgramRun done = run({"run", kShifted, "--inputs", "in", "--outputs", "out/of"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("yes"), std::string::npos) << done.out;
  const NDArray expected = NDArray{10, 22, 30, 14, 20, 36}.reshaped({2, 3});
  EXPECT_EQ(right(read_npy(folder_.path("out/of/output_0.npy"))), expected);
}

TEST_F(RunVerb, ComputesAModelNodeByNode) {
  folder_.write("net.graph",
                "graph net\n"
                "input x: f32[2,3]\n"
                "input s: f32[3]\n"
                "node relu = elementwise Relu (x) -> a: f32[2,3]\n"
                "node scale = elementwise Mul (a, s) -> b: f32[2,3]\n"
                "node turn = data_movement Transpose {perm=[1,0]} (b) -> c: f32[3,2]\n"
                "node flat = data_movement Flatten {axis=0} (c) -> y: f32[1,6]\n"
                "node sum = reduction ReduceSum {axes=[1],keepdims=0} (b) -> z: f32[2]\n"
                "output y\noutput z\n");
  write("input_0.npy", {2, 3}, {1, -2, 3, 4, 5, -6});
  write("input_1.npy", {3}, {1, 10, 100});
  const ProgramRun done = run({"run", "net.graph", "--inputs", "in", "--outputs", "out", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto row = nlohmann::json::parse(done.out)["rows"][0];
  EXPECT_EQ(row["name"], "net.graph");
  EXPECT_EQ(row["right"], true);
  EXPECT_EQ(row["outputs"].size(), 2u);
  EXPECT_EQ(floats_of(right(read_npy(folder_.path("out/output_0.npy")))),
            (std::vector<float>{1, 4, 0, 50, 300, 0}));
  EXPECT_EQ(floats_of(right(read_npy(folder_.path("out/output_1.npy")))),
            (std::vector<float>{301, 54}));
}

TEST_F(RunVerb, NamesEveryNodeOfAModelThatItCannotCompute) {
  folder_.write("net.graph",
                "graph net\ninput x: f32[2,3]\n"
                "node a = data_movement NonZero (x) -> b: f32[2,3]\n"
                "node c = elementwise Relu (b) -> d: f32[2,3]\n"
                "node e = data_movement NonZero (d) -> y: f32[2,3]\noutput y\n");
  const ProgramRun done = run({"run", "net.graph", "--outputs", "out"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(done.err,
            "dovetail: run: net.graph has nodes that this version does not compute: NonZero 2 (a "
            "e): an output whose shape depends on data\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.folder() / "out"));
}

TEST_F(RunVerb, ComputesAConvolutionInTheFrameworksShapes) {
  write("input_0.npy", {1, 4, 1, 1}, {1, 2, 3, 4});
  write("input_1.npy", {2, 2, 1, 1}, {1, 10, 100, 1000});
  write("input_2.npy", {2}, {0.5, -0.5});
  const ProgramRun done =
      run({"run", "grp:ci=4,co=2,h=1,w=1,k=1,g=2+bias", "--inputs", "in", "--outputs", "out"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const NDArray expected(ElementType::f32, {1, 2, 1, 1}, std::vector<float>{21.5, 4299.5});
  EXPECT_EQ(right(read_npy(folder_.path("out/output_0.npy"))), expected);
}

TEST_F(RunVerb, SaysSecondsAndErrorsAsJson) {
  const ProgramRun done = run({"run", "gmm:m=8,n=8,k=8+relu", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  const auto& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("name"), "gmm:m=8,n=8,k=8+relu");
  EXPECT_GT(row.at("seconds").get<double>(), 0);
  EXPECT_LT(row.at("max_rel_error").get<double>(), 1e-6);
  EXPECT_EQ(row.at("right"), true);
  EXPECT_EQ(row.at("match"), "default");
  EXPECT_EQ(row.at("outputs").size(), 0u);
}

TEST_F(RunVerb, TakesTheBestTraceOfALog) {
  constexpr const char* kSpec = "gmm:m=4,n=4,k=4";
  ASSERT_EQ(run({"tune", kSpec, "--trials", "2", "--log", "t.jsonl"}).exit_code, 0);
  const ProgramRun done = run({"run", kSpec, "--log", "t.jsonl", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto row = nlohmann::json::parse(done.out).at("rows").at(0);
  EXPECT_EQ(row.at("match"), "exact");
  EXPECT_TRUE(row.at("record").get<std::string>().starts_with("t.jsonl#1."));
}

TEST_F(RunVerb, ReplaysATraceOfOnesOwn) {
  constexpr const char* kSpec = "gmm:m=16,n=16,k=16";
  folder_.write("mine.txt", run({"show", kSpec, "--what", "trace"}).out);
  const ProgramRun done = run({"replay", kSpec, "--trace", "mine.txt", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto task = nlohmann::json::parse(done.out).at("tasks").at(0);
  EXPECT_EQ(task.at("match"), "given");
  EXPECT_TRUE(task.at("record").is_null());
  EXPECT_GT(task.at("seconds").get<double>(), 0);
}

TEST_F(RunVerb, ShowsARegion) {
  for (const char* what : {"nest", "layout", "ir", "asm", "features"})
    EXPECT_GT(count_lines(run({"show", kShifted, "--what", what}).out), 2u) << what;
  const ProgramRun trace = run({"show", kShifted, "--what", "trace"});
  EXPECT_EQ(trace.exit_code, 0);
  EXPECT_NE(trace.out.find("vectorize(b)"), std::string::npos) << trace.out;
}

TEST_F(RunVerb, ShowsARegionWithATraceOfOnesOwn) {
  folder_.write("mine.txt", "loops B: split(loop=a, factor=2)\n");
  const ProgramRun nest = run({"show", "Y[i]=exp(X[i]):i=4", "--trace", "mine.txt"});
  EXPECT_NE(nest.out.find("for a.0 in 0..2"), std::string::npos) << nest.out << nest.err;
}

}  // namespace
}  // namespace dovetail
