// SPDX-License-Identifier: Apache-2.0
// Indices that are only known when a network runs.
#include <gtest/gtest.h>

#include <fstream>

#include "campaign/run/npy.h"
#include "campaign/run/run.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace dovetail {
namespace {

class RunIndices : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!DOVETAIL_HAVE_LLVM) GTEST_SKIP() << "needs the target of this CPU";
  }

  Result<::dovetail::Run> run_model(const std::string& nodes, std::vector<int64_t> indices) {
    const std::string model = folder_.path("model.graph");
    std::ofstream(model) << "graph g\ninput i: i64[2]\ninput x: f32[8]\n" + nodes + "output y\n";
    EXPECT_TRUE(
        write_npy(folder_.path("input_0.npy"), NDArray(ElementType::i64, {2}, std::move(indices))));
    EXPECT_TRUE(write_npy(folder_.path("input_1.npy"), std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
    RunSpecOptions options;
    options.spec = model;
    options.target = "cpu";
    options.inputs = folder_.folder().string();
    return run_spec(options, {});
  }

  testing::TemporaryFolder folder_;
};

const std::string kGather = "node g = data_movement Gather {axis=0} (x, i) -> y: f32[2]\n";

TEST_F(RunIndices, WithinTheirAxisAreTaken) { EXPECT_TRUE(run_model(kGather, {-8, 7})); }

TEST_F(RunIndices, BeyondTheirAxisAreRefusedByName) {
  EXPECT_ERROR(run_model(kGather, {0, 12}),
               "node g (Gather): index 12 of an axis of 8; expected -8 to 7");
  EXPECT_ERROR(run_model(kGather, {-9, 0}), "node g (Gather): index -9 of an axis of 8");
}

TEST_F(RunIndices, ThatTheNetworkComputesAreLookedAtToo) {
  const std::string doubled =
      "node d = elementwise Add (i, i) -> j: i64[2]\n"
      "node g = data_movement Gather {axis=0} (x, j) -> y: f32[2]\n";
  EXPECT_TRUE(run_model(doubled, {0, 3}));
  EXPECT_ERROR(run_model(doubled, {0, 6}), "node g (Gather): index 12 of an axis of 8");
}

}  // namespace
}  // namespace dovetail
