// SPDX-License-Identifier: Apache-2.0
#include "core/base/deadline.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/base/descriptor.h"

namespace dovetail {
namespace {

struct Pipe {
  Descriptor reader, writer;
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    reader = Descriptor(ends[0]);
    writer = Descriptor(ends[1]);
  }
};

TEST(Deadline, OfNoTimeHasPassedAndOfInfinityHasNot) {
  const auto has_passed = [](double seconds) {
    const Deadline deadline = deadline_after(seconds);
    return deadline <= std::chrono::steady_clock::now();
  };
  EXPECT_TRUE(has_passed(0));
  EXPECT_TRUE(has_passed(-1));
  EXPECT_TRUE(has_passed(std::nan("")));
  EXPECT_FALSE(has_passed(std::numeric_limits<double>::infinity()));
}

TEST(AwaitReady, TimesOutWhenNothingComes) {
  const Pipe pipe;
  EXPECT_EQ(await_ready(pipe.reader.get(), POLLIN, deadline_after(0.01)), Readiness::timed_out);
}

TEST(AwaitReady, IsReadyWhenThereIsSomethingToReadAlthoughTheDeadlineHasPassed) {
  const Pipe pipe;
  ASSERT_EQ(::write(pipe.writer.get(), "x", 1), 1);
  EXPECT_EQ(await_ready(pipe.reader.get(), POLLIN, deadline_after(0)), Readiness::ready);
}

TEST(AwaitReady, IsReadyWhenTheOtherSideIsGone) {
  Pipe pipe;
  pipe.writer.reset();
  EXPECT_EQ(await_ready(pipe.reader.get(), POLLIN, deadline_after(10)), Readiness::ready);
}

}  // namespace
}  // namespace dovetail
