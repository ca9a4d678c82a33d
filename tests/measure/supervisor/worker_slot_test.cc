// SPDX-License-Identifier: Apache-2.0
//
// A build worker that is stopped while it works: nothing is lost, and the time does not count.
#include "measure/supervisor/worker_slot.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <thread>

#include "core/base/check.h"
#include "measure/messages/worker_messages.h"
#include "measure/worker/worker.h"
#include "tests/measure/candidates.h"

#if DOVETAIL_HAVE_LLVM

namespace dovetail {
namespace {

using namespace std::chrono_literals;

constexpr double kLeaseSeconds = 30;
constexpr auto kPause = 1500ms;

WorkerCommand builder(const Target& target, const std::string& faults = "") {
  const auto path = find_worker();
  CHECK(path.has_value(), "dovetail-worker is not there");
  WorkerCommand command;
  command.path = *path;
  command.arguments = print(WorkerOptions{.role = "build",
                                          .target = target,
                                          .cores = {},
                                          .parent = ::getpid(),
                                          .background = true,
                                          .faults = *parse_faults(faults)});
  return command;
}

Frame request_of(int64_t trial, const Target& target) {
  const MeasureInput input = testing::small_candidate(trial, target);
  return encode(
      BuildRequest{.trial = trial, .target = print(target), .program = print(input.program)});
}

TEST(WorkerSlot, AWorkerInTheBackgroundBuilds) {
  const Target target = testing::host_target();
  WorkerSlot slot(builder(target), kLeaseSeconds);
  const Exchange built = slot.exchange(request_of(1, target), 30);
  ASSERT_EQ(built.outcome, Exchange::Outcome::answered) << built.reason;
  EXPECT_EQ(decode<BuildReply>(built.reply)->status, Status::ok);
}

TEST(WorkerSlot, APausedWorkerAnswersLaterAndItsPauseDoesNotCount) {
  const Target target = testing::host_target();
  WorkerSlot slot(builder(target), kLeaseSeconds);
  ASSERT_EQ(slot.exchange(request_of(1, target), 30).outcome, Exchange::Outcome::answered);
  slot.pause(true);
  auto answer =
      std::async(std::launch::async, [&] { return slot.exchange(request_of(2, target), 1.0); });
  EXPECT_EQ(answer.wait_for(kPause), std::future_status::timeout);
  slot.pause(false);
  const Exchange built = answer.get();
  EXPECT_EQ(built.outcome, Exchange::Outcome::answered) << built.reason;
}

TEST(WorkerSlot, AHangingWorkerTimesOutInSpiteOfPauses) {
  const Target target = testing::host_target();
  WorkerSlot slot(builder(target, "2=build_hang"), kLeaseSeconds);
  ASSERT_EQ(slot.exchange(request_of(1, target), 30).outcome, Exchange::Outcome::answered);
  auto answer =
      std::async(std::launch::async, [&] { return slot.exchange(request_of(2, target), 0.5); });
  slot.pause(true);
  std::this_thread::sleep_for(300ms);
  slot.pause(false);
  EXPECT_EQ(answer.get().outcome, Exchange::Outcome::timed_out);
}

TEST(WorkerSlot, APausedSlotThatIsClosedEnds) {
  const Target target = testing::host_target();
  WorkerSlot slot(builder(target), kLeaseSeconds);
  ASSERT_EQ(slot.exchange(request_of(1, target), 30).outcome, Exchange::Outcome::answered);
  slot.pause(true);
  auto answer =
      std::async(std::launch::async, [&] { return slot.exchange(request_of(2, target), 30); });
  EXPECT_EQ(answer.wait_for(100ms), std::future_status::timeout);
  slot.close();
  EXPECT_EQ(answer.get().outcome, Exchange::Outcome::unavailable);
}

}  // namespace
}  // namespace dovetail

#endif  // DOVETAIL_HAVE_LLVM
