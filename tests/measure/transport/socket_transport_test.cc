// SPDX-License-Identifier: Apache-2.0
#include "measure/transport/socket_transport.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <memory>
#include <thread>

#include "core/base/descriptor.h"
#include "measure/messages/worker_messages.h"

namespace dovetail {
namespace {

struct Pair {
  int raw_left = -1;  // the descriptor, for bytes that are no frame
  std::unique_ptr<SocketTransport> left, right;
  Pair() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    raw_left = ends[0];
    left = std::make_unique<SocketTransport>(Descriptor(ends[0]));
    right = std::make_unique<SocketTransport>(Descriptor(ends[1]));
  }
};

Frame frame_of(std::string header, size_t payload_bytes) {
  return {std::move(header), std::vector<std::byte>(payload_bytes, std::byte{7})};
}

ReceivedFrame receive_soon(Transport& transport, const FrameLimits& limits = {}) {
  return transport.receive(deadline_after(0.2), limits);
}

TEST(SocketTransport, ArrivesAsItWasSent) {
  Pair pair;
  const Frame frame = frame_of(R"({"type":"build"})", 3);
  ASSERT_EQ(pair.left->send(frame, deadline_after(1)), FrameStatus::done);
  const ReceivedFrame received = receive_soon(*pair.right);
  EXPECT_EQ(received.status, FrameStatus::done);
  EXPECT_EQ(received.frame, frame);
}

TEST(SocketTransport, LargerThanTheSocketsBufferArrivesInParts) {
  Pair pair;
  const Frame frame = frame_of("{}", 5'000'000);
  std::thread sender(
      [&] { EXPECT_EQ(pair.left->send(frame, deadline_after(10)), FrameStatus::done); });
  const ReceivedFrame received = pair.right->receive(deadline_after(10));
  sender.join();
  EXPECT_EQ(received.frame, frame);
}

TEST(SocketTransport, TimesOutWhenNothingComes) {
  Pair pair;
  EXPECT_EQ(pair.right->receive(deadline_after(0.01)).status, FrameStatus::timed_out);
}

TEST(SocketTransport, TimesOutWhenTheOtherSideDoesNotRead) {
  Pair pair;
  const Frame frame = frame_of("{}", 5'000'000);
  EXPECT_EQ(pair.left->send(frame, deadline_after(0.01)), FrameStatus::timed_out);
}

TEST(SocketTransport, ClosedWhenTheOtherSideIsGone) {
  Pair pair;
  pair.left.reset();
  EXPECT_EQ(receive_soon(*pair.right).status, FrameStatus::closed);
  EXPECT_EQ(pair.right->send(frame_of("{}", 1), deadline_after(1)), FrameStatus::closed);
}

TEST(SocketTransport, ClosedInTheMiddleIsClosed) {
  Pair pair;
  ASSERT_EQ(::send(pair.raw_left, "DVT1\x05", 5, 0), 5);
  pair.left.reset();
  EXPECT_EQ(receive_soon(*pair.right).status, FrameStatus::closed);
}

TEST(SocketTransport, MalformedWhenItDoesNotBeginAsOne) {
  Pair pair;
  const std::string garbage(64, 'g');
  ASSERT_EQ(::send(pair.raw_left, garbage.data(), garbage.size(), 0), 64);
  const ReceivedFrame received = receive_soon(*pair.right);
  EXPECT_EQ(received.status, FrameStatus::malformed);
  EXPECT_EQ(received.reason, "garbage instead of a frame");
}

TEST(SocketTransport, MalformedWhenItPromisesMoreThanIsAllowed) {
  Pair pair;
  ASSERT_EQ(pair.left->send(frame_of("{}", 100), deadline_after(1)), FrameStatus::done);
  const ReceivedFrame received =
      receive_soon(*pair.right, {.header_bytes = 10, .payload_bytes = 99});
  EXPECT_EQ(received.status, FrameStatus::malformed);
  EXPECT_EQ(received.reason, "frame of 2 + 100 bytes, at most 10 + 99 are allowed");
}

// For any bytes, the reader ends by its deadline and returns a frame only if one was sent.
RC_GTEST_PROP(SocketTransport, AnyBytesAreAFrameOrAClearEnd,
              (std::string bytes, bool valid_magic)) {
  Pair pair;
  if (valid_magic) bytes = fmt::format("DVT1{}", bytes);
  RC_ASSERT(::send(pair.raw_left, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(bytes.size()));
  pair.left.reset();
  const ReceivedFrame received = pair.right->receive(deadline_after(1));
  if (received.status == FrameStatus::done) {
    RC_ASSERT(bytes.size() >= 16 + received.frame.header.size() + received.frame.payload.size());
  } else {
    RC_ASSERT(!received.reason.empty());
  }
}

RC_GTEST_PROP(SocketTransport, DecodersGiveAMessageOrAnErrorForAnyHeader, (std::string text)) {
  const std::vector<std::string> headers = {
      text, fmt::format(R"({{"type":"{}"}})", text), R"({"type":"run"})",
      fmt::format(R"({{"type":"built","status":"{}"}})", text),
      fmt::format(R"({{"type":"timed","samples":[{})", text)};
  for (const std::string& header : headers) {
    const Frame frame{header, {}};
    RC_ASSERT(!decode<RunRequest>(frame).has_value());
    RC_ASSERT(!decode<BuildReply>(frame).has_value());
    RC_ASSERT(!decode<TimeReply>(frame).has_value() || header.ends_with("]}"));
  }
}

}  // namespace
}  // namespace dovetail
