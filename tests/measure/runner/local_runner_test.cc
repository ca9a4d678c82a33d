// SPDX-License-Identifier: Apache-2.0
#include "measure/runner/local_runner.h"

#include <gtest/gtest.h>

#include "measure/reference/check_data.h"
#include "tests/measure/candidates.h"
#include "tests/measure/runner/local_runners.h"
#include "tests/support/expect_error.h"

#if DOVETAIL_HAVE_LLVM  // its candidates run on the CPU

namespace dovetail {
namespace {

using testing::runner_for;
using testing::small_candidate;
using testing::with_faults;

// Trials 1 to 3, of which the second is `input`.
std::vector<MeasureResult> measure_in_the_middle(LocalRunner& runner, MeasureInput input,
                                                 const Target& target) {
  runner.submit(small_candidate(1, target));
  runner.submit(std::move(input));
  runner.submit(small_candidate(3, target));
  std::vector<MeasureResult> results;
  for (int i = 0; i < 3; ++i) results.push_back(runner.wait());
  return results;
}

TEST(LocalRunner, TimesACandidateAgain) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  MeasureInput input = small_candidate(1, target);
  runner->submit(input);
  ASSERT_EQ(runner->wait().status, Status::ok);
  input.purpose = Purpose::retime;
  runner->submit(input);
  const MeasureResult again = runner->wait();
  EXPECT_EQ(again.status, Status::ok) << again.reason;
  EXPECT_GT(again.seconds, 0);
  EXPECT_EQ(again.times.build_seconds, 0);
}

TEST(LocalRunner, DoesNotTimeAgainWhatNeverRan) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  MeasureInput input = small_candidate(1, target);
  input.purpose = Purpose::retime;
  runner->submit(input);
  const MeasureResult result = runner->wait();
  EXPECT_EQ(result.status, Status::run_error);
  EXPECT_NE(result.reason.find("without a run before it"), std::string::npos) << result.reason;
}

TEST(LocalRunner, TimesARightCandidate) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  runner->submit(small_candidate(1, target));
  EXPECT_EQ(runner->in_flight(), 1u);
  const MeasureResult result = runner->wait();
  EXPECT_EQ(result.status, Status::ok) << result.reason;
  EXPECT_EQ(result.reason, "");
  EXPECT_GT(result.seconds, 0);
  EXPECT_GE(result.samples.size(), 5u);
  EXPECT_EQ(result.max_abs_error, 0);
  EXPECT_EQ(result.workspace_bytes, 16 * 16 * 16 * 4);  // the padded input
  EXPECT_GT(result.times.build_seconds, 0);
  EXPECT_GT(result.times.run_seconds, 0);
  EXPECT_GT(result.times.check_seconds, 0);
  EXPECT_GT(runner->peak_gflops(), 0);
  EXPECT_EQ(runner->in_flight(), 0u);
}

TEST(LocalRunner, AThoroughMeasurementChecksRealData) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  MeasureInput input = small_candidate(1, target);
  input.purpose = Purpose::confirm;
  runner->submit(std::move(input));
  const MeasureResult result = runner->wait();
  EXPECT_EQ(result.status, Status::ok) << result.reason;
  EXPECT_GT(result.max_rel_error, 0);
  EXPECT_LT(result.max_rel_error, 1e-6);
  EXPECT_GE(result.samples.size(), 20u);
}

// With operands that are all zeros nothing rounds.
TEST(LocalRunner, ConfirmsOnTheOperandsThatTheTaskHasOfItsOwn) {
  const Target target = testing::host_target();
  int asked = 0;
  MeasureOptions options;
  options.own_inputs = [&](const Region& region) {
    ++asked;
    NamedArrays own = make_inputs(region, DataKind::real, 0);
    for (auto& [name, values] : own) values = NDArray::zeros(values.type(), values.shape());
    return std::optional(own);
  };
  const auto runner = runner_for(target, options);
  runner->submit(small_candidate(1, target));
  EXPECT_EQ(asked, 0) << "small integers are made where it is measured";
  MeasureInput input = small_candidate(1, target);
  input.purpose = Purpose::confirm;
  for (int pass = 0; pass < 2; ++pass) runner->submit(input);
  for (int pass = 0; pass < 3; ++pass) {
    const MeasureResult result = runner->wait();
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_EQ(result.max_rel_error, 0);
  }
  EXPECT_EQ(asked, 1) << "they travel once";
}

TEST(LocalRunner, ResultsComeInTheOrderOfSubmission) {
  const Target target = testing::host_target();
  MeasureOptions options = with_faults("2=build_exit,4=run_exit");
  options.builders = 3;
  const auto runner = runner_for(target, options);
  for (int64_t trial = 1; trial <= 6; ++trial) runner->submit(small_candidate(trial, target));
  const std::vector<Status> expected = {Status::ok,        Status::build_error, Status::ok,
                                        Status::run_error, Status::ok,          Status::ok};
  for (Status status : expected) EXPECT_EQ(runner->wait().status, status);
}

// Many at once, so that the run worker's core builds, too, whenever it has nothing to run.
TEST(LocalRunner, CandidatesOfGuestsAreMeasuredInOrderLikeAllOthers) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target, with_faults("5=build_exit,11=run_exit"));
  constexpr int64_t kTrials = 24;
  for (int64_t trial = 1; trial <= kTrials; ++trial) runner->submit(small_candidate(trial, target));
  for (int64_t trial = 1; trial <= kTrials; ++trial) {
    const MeasureResult result = runner->wait();
    const Status expected = trial == 5    ? Status::build_error
                            : trial == 11 ? Status::run_error
                                          : Status::ok;
    EXPECT_EQ(result.status, expected) << trial << ": " << result.reason;
  }
}

TEST(LocalRunner, MeasuresDifferentOperatorsInOneCampaign) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  for (const char* spec : {"gmm:m=7,n=5,k=3", "c2d:ci=3,co=5,h=7,w=9,k=3,p=1,s=2+bias+relu",
                           "c2d:ci=4,co=4,h=5,w=5,k=1+gelu"}) {
    runner->submit(testing::candidate(1, spec, "", target));
    const MeasureResult result = runner->wait();
    EXPECT_EQ(result.status, Status::ok) << spec << ": " << result.reason;
  }
}

TEST(LocalRunner, AllCoresRunAProgramOfTwoThreads) {
  const Target target = testing::host_target("cpu:threads=2");
  auto runner = make_local_runner(target, {});
  if (!runner) GTEST_SKIP() << runner.error().message;
  for (int64_t trial = 1; trial <= 3; ++trial) (*runner)->submit(small_candidate(trial, target));
  for (int64_t trial = 1; trial <= 3; ++trial) {
    const MeasureResult result = (*runner)->wait();
    EXPECT_EQ(result.status, Status::ok) << result.reason;
  }
}

TEST(LocalRunner, EveryStateOfTheCachesIsTimed) {
  const Target target = testing::host_target();
  for (const Caches caches : {Caches::cold, Caches::network_l3, Caches::network_memory}) {
    MeasureOptions options;
    options.caches = caches;
    options.timing.most_samples = 5;  // emptying the caches before each takes a while
    const auto runner = runner_for(target, options);
    runner->submit(small_candidate(1, target));
    const MeasureResult result = runner->wait();
    EXPECT_EQ(result.status, Status::ok) << print(caches) << ": " << result.reason;
    EXPECT_GT(result.seconds, 0) << print(caches);
  }
}

struct Fault {
  std::string name;
  Status status;
  std::string reason;  // a part of it
};

void PrintTo(const Fault& fault, std::ostream* stream) { *stream << fault.name; }

class FaultyCandidate : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultyCandidate, HasItsStatusAndTheNextOneIsMeasured) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  if (GetParam().name.ends_with("_huge")) GTEST_SKIP() << "no memory limit under a sanitizer";
#endif
  const Target target = testing::host_target();
  MeasureOptions options = with_faults("2=" + GetParam().name);
  options.build_timeout_seconds = 4;
  options.run_timeout_seconds = 2;
  options.timing.budget_seconds = 0.01;
  options.build_memory_bytes = int64_t{2} << 30;
  options.run_memory_bytes = int64_t{1} << 30;
  const auto runner = runner_for(target, options);
  const auto results = measure_in_the_middle(*runner, small_candidate(2, target), target);
  EXPECT_EQ(results[0].status, Status::ok) << results[0].reason;
  EXPECT_EQ(print(results[1].status), print(GetParam().status)) << results[1].reason;
  EXPECT_NE(results[1].reason.find(GetParam().reason), std::string::npos) << results[1].reason;
  EXPECT_EQ(results[2].status, Status::ok) << results[2].reason;
}

INSTANTIATE_TEST_SUITE_P(
    Faults, FaultyCandidate,
    ::testing::Values(
        Fault{"build_crash", Status::build_error, "build: killed by SIGSEGV"},
        Fault{"build_hang", Status::timeout, "build: no answer within 4 s"},
        Fault{"build_exit", Status::build_error, "build: exit code 3"},
        Fault{"build_garbage", Status::build_error, "build: garbage instead of a frame"},
        Fault{"build_huge", Status::build_error, "out of memory"},
        Fault{"run_crash", Status::run_error, "run: killed by SIGSEGV"},
        Fault{"run_hang", Status::timeout, "run: no answer within"},
        Fault{"run_exit", Status::run_error, "run: exit code 3"},
        Fault{"run_garbage", Status::run_error, "run: garbage instead of a frame"},
        Fault{"run_huge", Status::run_error, "out of memory"},
        Fault{"run_before", Status::out_of_bounds, "4 bytes of the guard zone before buffer Y"},
        Fault{"run_after", Status::out_of_bounds, "4 bytes of the guard zone after buffer Y"},
        Fault{"run_lost", Status::run_error, "the device is lost"},
        Fault{"time_crash", Status::run_error, "timing: killed by SIGSEGV"},
        Fault{"time_hang", Status::timeout, "timing: no answer within"}),
    [](const auto& info) { return info.param.name; });

TEST(LocalRunner, AWrongProgramIsNotTimed) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  MeasureInput wrong = testing::with_a_wrong_program(small_candidate(2, target));
  const auto results = measure_in_the_middle(*runner, std::move(wrong), target);
  EXPECT_EQ(results[1].status, Status::wrong_output);
  EXPECT_NE(results[1].reason.find("expected"), std::string::npos) << results[1].reason;
  EXPECT_TRUE(results[1].samples.empty());
  EXPECT_EQ(results[2].status, Status::ok);
}

TEST(LocalRunner, AProgramThatStoresOutsideItsOutputIsOutOfBounds) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  MeasureInput wrong = small_candidate(2, target);
  std::string text = print(wrong.program);
  text.replace(text.rfind("Y[o.0, 0, h, 7*w.0"), 18, "Y[o.0, 0, h + 1, 7*w.0");
  wrong.program = *parse_program(text);
  const auto results = measure_in_the_middle(*runner, std::move(wrong), target);
  EXPECT_TRUE(results[1].status == Status::out_of_bounds ||
              results[1].status == Status::build_error)
      << print(results[1].status) << results[1].reason;
  EXPECT_EQ(results[2].status, Status::ok);
}

TEST(LocalRunner, AProgramOfAnotherOperatorIsARunError) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  MeasureInput wrong = small_candidate(2, target);
  wrong.spec = testing::operator_of("c2d:ci=16,co=32,h=15,w=14,k=3,p=1");
  const auto results = measure_in_the_middle(*runner, std::move(wrong), target);
  EXPECT_EQ(results[1].status, Status::run_error);
  EXPECT_NE(results[1].reason.find("tensor X has"), std::string::npos) << results[1].reason;
  EXPECT_EQ(results[2].status, Status::ok);
}

TEST(LocalRunner, ACandidateThatNeedsTooMuchMemoryIsADeviceLimit) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  MeasureInput input = small_candidate(1, target);
  for (Buffer& buffer : input.program.buffers)
    if (buffer.name == "X.pad") buffer.layout.axes[2].digits[0].extent = int64_t{1} << 30;
  runner->submit(std::move(input));
  const MeasureResult result = runner->wait();
  EXPECT_EQ(result.status, Status::device_limit) << result.reason;
}

TEST(LocalRunner, FailsWithoutAWorkerOrEnoughCores) {
  MeasureOptions options;
  options.worker_path = "/nowhere/dovetail-worker";
  const Target target = testing::host_target();
  const auto runner = runner_for(target, options);
  runner->submit(small_candidate(1, target));
  const MeasureResult result = runner->wait();
  EXPECT_EQ(result.status, Status::worker_lost);
  EXPECT_TRUE(result.no_device);
  EXPECT_NE(result.reason.find("cannot start /nowhere/dovetail-worker"), std::string::npos);
  Target many = target;
  many.name.threads = 4000;
  EXPECT_ERROR(make_local_runner(many, {}), "target cpu:threads=4000 needs 4000 cores");
}

}  // namespace
}  // namespace dovetail

#endif
