// SPDX-License-Identifier: Apache-2.0
//
// Operators of several stages, measured end to end on the real backends: kernels that prepare
// constants are not timed, and Winograd is checked on real data.
#include <gtest/gtest.h>

#include "core/backends/opencl/opencl_targets.h"
#include "core/base/check.h"
#include "measure/runner/local_runner.h"
#include "tests/measure/candidates.h"

namespace dovetail {
namespace {

constexpr const char* kConvolution = "c2d:n=2,ci=16,co=32,h=9,w=14,k=3,p=1+bias+relu";

// Splits an axis of the output at the tiles, padded to whole ones.
std::string cut_at_tiles(const std::string& axis, int extent, int tile) {
  const int rest = (tile - extent % tile) % tile;
  const std::string pad = " pad(axis=" + axis + ", before=0, after=" + std::to_string(rest) + ")";
  return (rest > 0 ? pad : "") + " split(axis=" + axis + ", factor=" + std::to_string(tile) + ")";
}

std::string winograd_trace(int tile) {
  return "algorithm: winograd(tile=" + std::to_string(tile) +
         ")\nlayout X: reorder(n, h, w, i)\nlayout W: reorder(kh, kw, i, o)\n"
         "layout W.wino: reorder(ah, aw, i, o)\n"
         "layout X.wino: reorder(ah, aw, n, th, tw, i)\n"
         "layout Y.wino: split(axis=o, factor=16) reorder(ah, aw, o.0, n, th, tw, o.1)\n"
         "layout Y:" +
         cut_at_tiles("h", 9, tile) + cut_at_tiles("w", 14, tile) +
         " split(axis=o, factor=16) reorder(o.0, n, h.0, h.1, w.0, w.1, o.1)\n";
}

struct Device {
  Result<Target> target;
  std::string product_loops;  // Winograd's product, Y.wino
  std::string partial_loops;  // partial sums, Y.rf
};

Device device_named(const std::string& name) {
#if DOVETAIL_HAVE_LLVM
  if (name == "cpu")
    return {testing::host_target(),
            "loops Y.wino: reorder(ah, aw, o.0, n, th, tw, i, o.1) ; vectorize(o.1) ; "
            "cache_write(tensor=Y.wino, at=tw) ; parallel(ah)\n",
            "loops Y.rf: reorder(k.0, m, n, k.1) ; parallel(k.0)\n"};
#else
  if (name == "cpu") return {fail("built without LLVM"), "", ""};
#endif
  return {opencl_target(*parse_target_name("opencl:portable")),
          "loops Y.wino: reorder(ah, aw, o.0, n, th, tw, i, o.1) ; vectorize(o.1) ; "
          "cache_write(tensor=Y.wino, at=tw) ; bind(ah, group.1) ; bind(aw, group.0)\n",
          "loops Y.rf: reorder(k.0, m, n, k.1) ; bind(k.0, group.0)\n"};
}

class SeveralStages : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = device_named(GetParam());
    if (!device_.target) GTEST_SKIP() << device_.target.error().message;
    MeasureOptions options;
    options.timing.budget_seconds = 0.01;
    options.build_timeout_seconds = options.run_timeout_floor_seconds = 120;  // busy machines
    options.driver_run_timeout_floor_seconds = options.run_timeout_seconds = 120;
    auto made = make_local_runner(*device_.target, options);
    CHECK(made.has_value(), made.has_value() ? "" : made.error().message);
    runner_ = *std::move(made);
  }
  MeasureInput input(const std::string& spec, const std::string& trace) const {
    return testing::candidate(1, spec, trace, *device_.target);
  }
  MeasureResult measured(MeasureInput input) {
    runner_->submit(std::move(input));
    return runner_->wait();
  }

  Device device_{fail("no device yet"), "", ""};
  std::unique_ptr<LocalRunner> runner_;
};

TEST_P(SeveralStages, WinogradIsMeasuredAndCloseToTheReference) {
  for (const int tile : {2, 4}) {
    MeasureInput candidate = input(kConvolution, winograd_trace(tile) + device_.product_loops);
    if (tile == 4) candidate.purpose = Purpose::confirm;
    const MeasureResult result = measured(std::move(candidate));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GT(result.seconds, 0);
    EXPECT_GT(result.max_rel_error, 0);
    EXPECT_LT(result.max_rel_error, tile == 2 ? 1e-5 : 1e-4);
  }
}

// Not timed, but run: without it the product reads what poison left there.
TEST_P(SeveralStages, WithoutItsWeightsWinogradIsWrong) {
  MeasureInput candidate = input(kConvolution, winograd_trace(2) + device_.product_loops);
  Program& program = candidate.program;
  Loop* loop = std::get_if<Loop>(&program.kernels[0].body[0].node);
  ASSERT_NE(loop, nullptr);
  ASSERT_TRUE(program.kernels[0].prepares);
  program.kernels[0].body = {{Store{"W.wino", std::vector<IndexExpr>(4, IndexExpr(0)), 1.0}}};
  EXPECT_EQ(measured(std::move(candidate)).status, Status::wrong_output);
}

TEST_P(SeveralStages, AWrongCoefficientIsCaught) {
  MeasureInput candidate = input(kConvolution, winograd_trace(4) + device_.product_loops);
  std::string text = print(candidate.program);
  const size_t at = text.find(" * 2.8125", text.find("kernel wino_X"));
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 9, " * 2.5625");
  candidate.program = *parse_program(text);
  EXPECT_EQ(measured(std::move(candidate)).status, Status::wrong_output);
}

TEST_P(SeveralStages, ASplitReductionIsExact) {
  const MeasureResult result =
      measured(input("gmm:m=1,n=24,k=96+bias",
                     "loops: split(loop=k, factor=24) ; rfactor(k.0)\n" + device_.partial_loops));
  EXPECT_EQ(result.status, Status::ok) << result.reason;
  EXPECT_EQ(result.max_abs_error, 0);
  EXPECT_EQ(result.workspace_bytes, 4 * 24 * 4);
}

INSTANTIATE_TEST_SUITE_P(Devices, SeveralStages, ::testing::Values("cpu", "opencl"));

}  // namespace
}  // namespace dovetail
