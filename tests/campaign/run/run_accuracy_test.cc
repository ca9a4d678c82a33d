// SPDX-License-Identifier: Apache-2.0
// Inputs on which fast algorithms round too much: `run` avoids them, and outputs are right.
#include <gtest/gtest.h>

#include "campaign/run/npy.h"
#include "campaign/run/run.h"
#include "tests/support/right.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

using testing::right;

class RunAccuracy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  }

  // X around `offset`, weights of changing signs.
  RunRow run_around(double offset, const std::string& spec, std::vector<int64_t> x,
                    std::vector<int64_t> w) {
    write(0, std::move(x), [offset](size_t i) { return offset + double(i * 7919 % 257) / 257; });
    write(1, std::move(w), [](size_t i) { return double(i * 104729 % 199) / 199 - 0.5; });
    RunSpecOptions options;
    options.spec = spec;
    options.inputs = folder_.folder().string();
    return right(run_spec(options, {})).rows[0];
  }

  template <typename NumberAt>
  void write(int number, std::vector<int64_t> shape, NumberAt at) {
    std::vector<float> values(static_cast<size_t>(num_elements(shape)));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(at(i));
    ASSERT_TRUE(write_npy(folder_.path("input_" + std::to_string(number) + ".npy"),
                          NDArray(ElementType::f32, std::move(shape), std::move(values))));
  }

  testing::TemporaryFolder folder_;
};

TEST_F(RunAccuracy, GivesOutputsOfActivationsAroundTenThousand) {
  const RunRow row =
      run_around(1e4, "c2d:ci=256,co=48,h=13,w=13,k=1", {1, 256, 13, 13}, {48, 256, 1, 1});
  EXPECT_EQ(row.reason, "");
  ASSERT_TRUE(row.range_error);
  EXPECT_LT(*row.range_error, kDefaultMaxError);
}

TEST_F(RunAccuracy, GivesOutputsOfBytes) {
  const RunRow row =
      run_around(128, "c2d:ci=64,co=32,h=14,w=14,k=3,p=1", {1, 64, 14, 14}, {32, 64, 3, 3});
  EXPECT_EQ(row.reason, "");
  EXPECT_LT(row.range_error.value_or(1), kDefaultMaxError);
}

TEST_F(RunAccuracy, SaysWhatItLeavesOut) {
  const RunRow row =
      run_around(1e4, "c2d:ci=256,co=48,h=13,w=13,k=1", {1, 256, 13, 13}, {48, 256, 1, 1});
  ASSERT_FALSE(row.left_out.empty());
  for (const AccuracyRule::Refused& one : row.left_out) EXPECT_GT(one.error, kDefaultMaxError);
}

}  // namespace
}  // namespace dovetail
