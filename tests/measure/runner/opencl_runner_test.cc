// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/backends/opencl/opencl_targets.h"
#include "core/base/check.h"
#include "measure/runner/local_runner.h"
#include "tests/measure/candidates.h"

namespace dovetail {
namespace {

const char* const kBufferTrace =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)\n"
    "layout W: reorder(i, kh, kw, o)\n"
    "layout Y: split(axis=o, factor=16) reorder(o.0, n, h, w, o.1)\n"
    "loops: split(loop=w, factor=7) ; reorder(o.0, n, h, w.0, i, kh, kw, w.1, o.1) ; unroll(w.1) ; "
    "vectorize(o.1) ; cache_write(tensor=Y, at=w.0) ; bind(o.0, group.0) ; bind(h, thread.0)\n";

// The convolution with weights and padded input in images, a group a row.
const char* const kTextureTrace =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1) "
    "split(axis=i, factor=4) reorder(i.0, n, h, w, i.1) ; scope texture\n"
    "layout W: split(axis=o, factor=4) reorder(o.0, i, kh, kw, o.1) ; scope texture:weight\n"
    "layout Y: split(axis=o, factor=4) reorder(o.0, n, h, w, o.1)\n"
    "loops: split(loop=w, factor=7) ; reorder(o.0, n, h, w.0, i, kh, kw, w.1, o.1) ; unroll(w.1) ; "
    "vectorize(o.1) ; cache_write(tensor=Y, at=w.0) ; bind(o.0, group.0) ; bind(h, thread.0)\n";

class OpenclRunner : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto target = opencl_target(*parse_target_name("opencl:portable"));
    if (!target) GTEST_SKIP() << target.error().message;
    target_ = *target;
  }
  std::unique_ptr<LocalRunner> runner(MeasureOptions options = {}) const {
    options.timing.budget_seconds = 0.01;
    auto made = make_local_runner(target_, options);
    CHECK(made.has_value(), made.has_value() ? "" : made.error().message);
    return *std::move(made);
  }
  MeasureInput input(int64_t trial, const char* trace) const {
    return testing::candidate(trial, testing::kSmallSpec, trace, target_);
  }
  Target target_;
};

TEST_F(OpenclRunner, TimesCandidatesInBuffersAndInImages) {
  const auto device = runner();
  device->submit(input(1, kBufferTrace));
  device->submit(input(2, kTextureTrace));
  for (int i = 0; i < 2; ++i) {
    const MeasureResult result = device->wait();
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GT(result.seconds, 0);
    EXPECT_EQ(result.max_abs_error, 0);
  }
  EXPECT_GT(device->peak_gflops(), 0);
}

TEST_F(OpenclRunner, AWrongProgramIsNotTimed) {
  const auto device = runner();
  device->submit(testing::with_a_wrong_program(input(1, kTextureTrace)));
  const MeasureResult result = device->wait();
  EXPECT_EQ(result.status, Status::wrong_output) << result.reason;
  EXPECT_TRUE(result.samples.empty());
}

// Outputs of a device with cores of its own are checked while it is timed.
class ApartRunner : public OpenclRunner {
 protected:
  void SetUp() override {
    OpenclRunner::SetUp();
    target_.driver = "not this host's";
  }
};

TEST_F(ApartRunner, TimesWhatIsRightAndNothingElse) {
  const auto device = runner();
  device->submit(input(1, kBufferTrace));
  device->submit(testing::with_a_wrong_program(input(2, kBufferTrace)));
  device->submit(input(3, kBufferTrace));
  std::vector<MeasureResult> results;
  for (int i = 0; i < 3; ++i) results.push_back(device->wait());
  for (const size_t right : {0, 2}) {
    EXPECT_EQ(results[right].status, Status::ok) << results[right].reason;
    EXPECT_GT(results[right].seconds, 0);
    EXPECT_EQ(results[right].max_abs_error, 0);
  }
  EXPECT_EQ(results[1].status, Status::wrong_output) << results[1].reason;
  EXPECT_EQ(results[1].seconds, 0);
  EXPECT_TRUE(results[1].samples.empty());
}

TEST_F(ApartRunner, AFaultOfTimingIsAStatus) {
  MeasureOptions options;
  options.faults = *parse_faults("1=time_crash,2=run_after");
  const auto device = runner(options);
  for (int64_t trial = 1; trial <= 3; ++trial) device->submit(input(trial, kBufferTrace));
  EXPECT_EQ(device->wait().status, Status::run_error);
  EXPECT_EQ(device->wait().status, Status::out_of_bounds);
  EXPECT_EQ(device->wait().status, Status::ok);
}

TEST_F(OpenclRunner, AnImageOverTheDevicesLimitIsADeviceLimit) {
  Target small = target_;
  small.image2d_max_height = 8;
  MeasureOptions options;
  auto made = make_local_runner(small, options);
  ASSERT_TRUE(made);
  (*made)->submit(input(1, kTextureTrace));
  const MeasureResult result = (*made)->wait();
  EXPECT_EQ(result.status, Status::device_limit) << result.reason;
}

TEST_F(OpenclRunner, AFaultIsAStatusAndTheNextOneIsMeasured) {
  MeasureOptions options;
  options.faults = *parse_faults("1=run_crash,2=build_exit");
  const auto device = runner(options);
  for (int64_t trial = 1; trial <= 3; ++trial) device->submit(input(trial, kBufferTrace));
  EXPECT_EQ(device->wait().status, Status::run_error);
  EXPECT_EQ(device->wait().status, Status::build_error);
  const MeasureResult result = device->wait();
  EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST_F(OpenclRunner, AThoroughMeasurementChecksRealData) {
  MeasureInput finalist = input(1, kBufferTrace);
  finalist.purpose = Purpose::confirm;
  const auto device = runner();
  device->submit(std::move(finalist));
  const MeasureResult result = device->wait();
  EXPECT_EQ(result.status, Status::ok) << result.reason;
  EXPECT_GT(result.max_rel_error, 0);
  EXPECT_LT(result.max_rel_error, 1e-6);
}

}  // namespace
}  // namespace dovetail
