// SPDX-License-Identifier: Apache-2.0
//
// The tuner's end of the measuring process's protocol; local_runner_test.cc has what it answers.
#include "measure/host/serve_measuring.h"

#include <gtest/gtest.h>

#include <thread>

#include "measure/messages/measure_messages.h"
#include "measure/transport/socket_transport.h"
#include "tests/measure/candidates.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

// The end of serving a tuner that sends these frames and leaves.
Result<void> served(const std::vector<Frame>& frames) {
  SocketPair pair = right(socket_pair());
  for (const Frame& frame : frames)
    EXPECT_EQ(pair.ours->send(frame, deadline_after(1)), FrameStatus::done);
  pair.ours.reset();
  SocketTransport tuner(std::move(pair.theirs));
  Result<void> result;
  std::thread([&] {  // serving pins its thread
    const WorkerOptions options{
        .role = "measure", .target = testing::host_target(), .cores = {}, .faults = {}};
    result = serve_measuring(tuner, options);
  })
      .join();
  return result;
}

Frame begin() { return encode(BeginRequest{}); }

TEST(ServeMeasuring, EndsWithItsTuner) {
  EXPECT_TRUE(served({}));
  EXPECT_TRUE(served({begin()}));
}

TEST(ServeMeasuring, FailsWhereTheProtocolIsBroken) {
  EXPECT_ERROR(served({encode(MeasureRequest{})}), "expected a frame of type begin");
  EXPECT_ERROR(served({begin(), begin()}), "expected a frame of type measure");
  MeasureRequest request{.input = testing::small_candidate(1, testing::host_target()),
                         .program_key = 17};
  EXPECT_ERROR(served({begin(), encode(request)}), "program 0000000000000011 was not sent");
}

}  // namespace
}  // namespace dovetail
