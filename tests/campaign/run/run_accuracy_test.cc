// SPDX-License-Identifier: Apache-2.0
// Inputs on which fast algorithms round too much: `run` avoids them, and outputs are right.
#include <gtest/gtest.h>

#include "campaign/run/npy.h"
#include "campaign/run/run.h"
#include "core/backends/backends.h"
#include "core/ir/region/region_text.h"
#include "primitives/space/space.h"
#include "tests/campaign/one_record_log.h"
#include "tests/support/algorithm_points.h"
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

  // X around `offset`.
  RunRow run_around(double offset, const std::string& spec, std::vector<int64_t> x,
                    std::vector<int64_t> w, const std::string& log = {},
                    double (*weight)(size_t) = of_changing_signs) {
    write(0, std::move(x), [offset](size_t i) { return offset + double(i * 7919 % 257) / 257; });
    write(1, std::move(w), weight);
    RunSpecOptions options;
    options.spec = spec;
    options.log = log;
    options.inputs = folder_.folder().string();
    return right(run_spec(options, {})).rows[0];
  }

  static double of_changing_signs(size_t i) { return double(i * 104729 % 199) / 199 - 0.5; }

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

// The log has a fast algorithm, so that it is asked for whatever this CPU's default is. Weights of
// neighbouring channels cancel each other: the outputs' range is small beside what is summed.
TEST_F(RunAccuracy, SaysWhatItLeavesOut) {
  const std::string spec = "c2d:ci=64,co=32,h=14,w=14,k=3,p=1";
  const Target target = right(resolve_target("cpu"));
  const Space space = right(build_space(right(parse_region(spec)), target));
  const Trace fast = space.decode(testing::default_point_of(space, "winograd_4"));
  folder_.write("log.jsonl", testing::one_record_log(target, spec, print(fast)));
  const auto cancelling = [](size_t i) {
    return (i / 9 % 2 == 0 ? 1 : -1) * (double(i % 9 + i / 576) / 40);
  };
  const RunRow row =
      run_around(100, spec, {1, 64, 14, 14}, {32, 64, 3, 3}, folder_.path("log.jsonl"), cancelling);
  ASSERT_FALSE(row.left_out.empty());
  for (const AccuracyRule::Refused& one : row.left_out) EXPECT_GT(one.error, kDefaultMaxError);
}

}  // namespace
}  // namespace dovetail
