// SPDX-License-Identifier: Apache-2.0
#include "measure/local_runner.h"

#include <gtest/gtest.h>

#include "tests/measure/candidates.h"

namespace dovetail {
namespace {

using testing::small_candidate;

std::unique_ptr<LocalRunner> runner_for(const Target& target, MeasureOptions options = {}) {
  auto runner = make_local_runner(target, options);
  CHECK(runner.has_value(), runner.has_value() ? "" : runner.error().message);
  return *std::move(runner);
}

TEST(LocalRunner, TimesARightCandidate) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  runner->submit(small_candidate(1, target));
  EXPECT_EQ(runner->in_flight(), 1u);
  const MeasureResult result = runner->wait();
  EXPECT_EQ(result.status, Status::ok) << result.reason;
  EXPECT_GT(result.seconds, 0);
  EXPECT_GE(result.samples.size(), 5u);
  EXPECT_EQ(result.max_abs_error, 0);
  EXPECT_GT(result.workspace_bytes, 0);  // the padded input
  EXPECT_GT(runner->peak_gflops(), 0);
  EXPECT_EQ(runner->in_flight(), 0u);
}

}  // namespace
}  // namespace dovetail
