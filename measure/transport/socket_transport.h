// SPDX-License-Identifier: Apache-2.0
#pragma once

// SocketTransport: frames over a connected stream socket.
//
//   "DVT1"  header bytes, u32  payload bytes, u64   {"type":"build","trial":17}   object code ...
//   |-------------- 16 bytes, little-endian ----|   |------- header --------|   |--- payload ---|
//
// Why lengths in front and not a parser on a stream: the reader always knows how much is missing,
// so it can give up at a deadline, and garbage from a worker is detected at the first four bytes.
// Lengths are not trusted: memory grows with the bytes that arrive, not with the announced length.

#include <memory>

#include "core/base/deadline.h"
#include "core/base/descriptor.h"
#include "core/base/result.h"
#include "measure/transport/frame.h"
#include "measure/transport/transport.h"

namespace dovetail {

// No call raises SIGPIPE.
class SocketTransport final : public Transport {
 public:
  explicit SocketTransport(Descriptor socket) : socket_(std::move(socket)) {}
  FrameStatus send(const Frame& frame, Deadline deadline) override;
  ReceivedFrame receive(Deadline deadline, const FrameLimits& limits = {}) override;
  FrameStatus await(Deadline deadline) override;

 private:
  Descriptor socket_;
};

struct SocketPair {
  std::unique_ptr<Transport> ours;
  Descriptor theirs;  // to be handed to a child process
};
Result<SocketPair> socket_pair();

}  // namespace dovetail
