// SPDX-License-Identifier: Apache-2.0
#include "measure/transport/socket_transport.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>

#include "core/base/fail.h"

namespace dovetail {
namespace {

struct Prefix {
  std::array<char, 4> magic = {'D', 'V', 'T', '1'};
  uint32_t header_bytes = 0;
  uint64_t payload_bytes = 0;
};
// Little-endian, as is every machine that this was ever built for.
static_assert(sizeof(Prefix) == 16 && std::endian::native == std::endian::little);

constexpr size_t kChunkBytes = size_t{1} << 20;

FrameStatus await_events(int socket, short events, Deadline deadline) {
  const Readiness readiness = await_ready(socket, events, deadline);
  if (readiness == Readiness::timed_out) return FrameStatus::timed_out;
  return readiness == Readiness::ready ? FrameStatus::done : FrameStatus::closed;
}

// `move` sends or receives some bytes; `events` says when it can.
template <typename Byte, typename Move>
FrameStatus move_all(int socket, std::span<Byte> bytes, short events, Deadline deadline,
                     const Move& move) {
  while (!bytes.empty()) {
    const ssize_t moved = move(bytes);
    if (moved > 0) {
      bytes = bytes.subspan(static_cast<size_t>(moved));
    } else if (moved == 0) {
      return FrameStatus::closed;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      const FrameStatus status = await_events(socket, events, deadline);
      if (status != FrameStatus::done) return status;
    } else if (errno != EINTR) {
      return FrameStatus::closed;
    }
  }
  return FrameStatus::done;
}

FrameStatus send_bytes(int socket, std::span<const std::byte> bytes, Deadline deadline) {
  return move_all(socket, bytes, POLLOUT, deadline, [&](std::span<const std::byte> rest) {
    return ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  });
}

FrameStatus receive_bytes(int socket, std::span<std::byte> bytes, Deadline deadline) {
  return move_all(socket, bytes, POLLIN, deadline, [&](std::span<std::byte> rest) {
    return ::recv(socket, rest.data(), rest.size(), MSG_DONTWAIT);
  });
}

template <typename Container>
FrameStatus receive_growing(int socket, uint64_t count, Deadline deadline, Container& into) {
  while (into.size() < count) {
    const size_t start = into.size();
    const size_t step = std::min<uint64_t>(kChunkBytes, count - start);
    into.resize(start + step);
    const auto bytes = std::as_writable_bytes(std::span(into.data() + start, step));
    const FrameStatus status = receive_bytes(socket, bytes, deadline);
    if (status != FrameStatus::done) return status;
  }
  return FrameStatus::done;
}

ReceivedFrame failed(FrameStatus status) {
  const char* reason = status == FrameStatus::timed_out ? "no answer in time" : "connection closed";
  return {.status = status, .frame = {}, .reason = reason};
}

}  // namespace

FrameStatus SocketTransport::send(const Frame& frame, Deadline deadline) {
  const Prefix prefix{.header_bytes = static_cast<uint32_t>(frame.header.size()),
                      .payload_bytes = frame.payload.size()};
  const int socket = socket_.get();
  FrameStatus status = send_bytes(socket, std::as_bytes(std::span(&prefix, 1)), deadline);
  if (status == FrameStatus::done)
    status = send_bytes(socket, std::as_bytes(std::span(frame.header)), deadline);
  if (status == FrameStatus::done) status = send_bytes(socket, frame.payload, deadline);
  return status;
}

FrameStatus SocketTransport::await(Deadline deadline) {
  return await_events(socket_.get(), POLLIN, deadline);
}

ReceivedFrame SocketTransport::receive(Deadline deadline, const FrameLimits& limits) {
  Prefix prefix;
  const int socket = socket_.get();
  FrameStatus status =
      receive_bytes(socket, std::as_writable_bytes(std::span(&prefix, 1)), deadline);
  if (status != FrameStatus::done) return failed(status);
  if (prefix.magic != Prefix().magic)
    return {FrameStatus::malformed, {}, "garbage instead of a frame"};
  const auto [magic, header_bytes, payload_bytes] = prefix;
  if (header_bytes > limits.header_bytes || payload_bytes > limits.payload_bytes) {
    return {FrameStatus::malformed,
            {},
            fmt::format("frame of {} + {} bytes, at most {} + {} are allowed", header_bytes,
                        payload_bytes, limits.header_bytes, limits.payload_bytes)};
  }
  ReceivedFrame received{.status = FrameStatus::done, .frame = {}, .reason = {}};
  status = receive_growing(socket, header_bytes, deadline, received.frame.header);
  if (status == FrameStatus::done)
    status = receive_growing(socket, payload_bytes, deadline, received.frame.payload);
  return status == FrameStatus::done ? received : failed(status);
}

Result<SocketPair> socket_pair() {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    return fail("cannot create a socket: {}", strerror(errno));
  return SocketPair{.ours = std::make_unique<SocketTransport>(Descriptor(pair[0])),
                    .theirs = Descriptor(pair[1])};
}

}  // namespace dovetail
