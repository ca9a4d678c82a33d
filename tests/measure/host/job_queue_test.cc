// SPDX-License-Identifier: Apache-2.0
#include "measure/host/job_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace dovetail {
namespace {

using namespace std::chrono_literals;

Job numbered(int64_t trial) {
  Job job;
  job.input.trial = trial;
  return job;
}

TEST(JobQueue, BuildersTakeAnyCandidateAndTheDeviceTheOldest) {
  JobQueue queue(2);
  for (int64_t trial = 1; trial <= 3; ++trial) queue.submit(numbered(trial));
  Job* first = queue.take_queued();
  Job* second = queue.take_queued();
  EXPECT_EQ(first->input.trial, 1);
  EXPECT_EQ(second->input.trial, 2);
  queue.finish(*second, JobStep::built);
  auto packed = std::async(std::launch::async, [&] { return queue.take_built(); });
  EXPECT_EQ(packed.wait_for(20ms), std::future_status::timeout);  // for the first
  queue.finish(*first, JobStep::built);
  EXPECT_EQ(packed.get(), first);
  queue.close();
}

TEST(JobQueue, AGuestTakesACandidateWhileNothingWaitsForTheDevice) {
  JobQueue queue(2);
  for (int64_t trial = 1; trial <= 3; ++trial) queue.submit(numbered(trial));
  Job* host = queue.take_queued();
  EXPECT_EQ(queue.take_queued_when_starved()->input.trial, 2);

  queue.finish(*host, JobStep::built);
  auto guest = std::async(std::launch::async, [&] { return queue.take_queued_when_starved(); });
  EXPECT_EQ(guest.wait_for(20ms), std::future_status::timeout);
  queue.finish(*queue.take_built(), JobStep::packed);
  EXPECT_EQ(guest.wait_for(20ms), std::future_status::timeout);
  const Job* running = queue.take_packed();
  EXPECT_EQ(running, host);
  queue.finish(*host, JobStep::done);
  EXPECT_EQ(guest.get()->input.trial, 3);
  queue.close();
}

TEST(JobQueue, ResultsComeInTheOrderOfSubmission) {
  JobQueue queue(2);
  auto first = std::async(std::launch::async, [&] { return queue.wait(); });
  for (int64_t trial = 1; trial <= 2; ++trial) queue.submit(numbered(trial));
  Job* oldest = queue.take_queued();
  Job* second = queue.take_queued();
  second->result.reason = "second";
  queue.finish(*second, JobStep::done);
  EXPECT_EQ(first.wait_for(20ms), std::future_status::timeout);
  oldest->result.reason = "first";
  queue.finish(*oldest, JobStep::done);
  EXPECT_EQ(first.get()->reason, "first");
  EXPECT_EQ(queue.wait()->reason, "second");
}

TEST(JobQueue, AClosedQueueLetsEveryoneGo) {
  JobQueue queue(1);
  auto builder = std::async(std::launch::async, [&] { return queue.take_queued(); });
  auto guest = std::async(std::launch::async, [&] { return queue.take_queued_when_starved(); });
  auto waiter = std::async(std::launch::async, [&] { return queue.wait(); });
  queue.close();
  EXPECT_FALSE(waiter.get());
  EXPECT_EQ(builder.get(), nullptr);
  EXPECT_EQ(guest.get(), nullptr);
}

}  // namespace
}  // namespace dovetail
