// SPDX-License-Identifier: Apache-2.0
#include "measure/host/job_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace dovetail {
namespace {

using namespace std::chrono_literals;

MeasureInput numbered(int64_t trial) {
  MeasureInput input;
  input.trial = trial;
  return input;
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

TEST(JobQueue, AClosedQueueLetsEveryoneGo) {
  JobQueue queue(1);
  auto builder = std::async(std::launch::async, [&] { return queue.take_queued(); });
  auto guest = std::async(std::launch::async, [&] { return queue.take_queued_when_starved(); });
  queue.close();
  EXPECT_EQ(builder.get(), nullptr);
  EXPECT_EQ(guest.get(), nullptr);
}

}  // namespace
}  // namespace dovetail
