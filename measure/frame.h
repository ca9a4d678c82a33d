// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frame: one message between the tuner and a worker: a JSON header, then raw bytes.
//
//   "DVT1"  header bytes, u32  payload bytes, u64   {"type":"build","trial":17}   object code ...
//   |-------------- 16 bytes, little-endian ----|   |------- header --------|   |--- payload ---|
//
// Why lengths in front and not a parser on a stream: the reader knows at every moment how much is
// missing, so it can give up at a deadline, and a worker that writes garbage is found out at the
// first four bytes. Lengths are not believed: memory grows with the bytes that arrive, not with the
// promise.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/deadline.h"

namespace dovetail {

struct Frame {
  std::string header = {};  // JSON
  std::vector<std::byte> payload = {};
  friend bool operator==(const Frame&, const Frame&) = default;
};

struct FrameLimits {
  uint64_t header_bytes = uint64_t{1} << 22;
  uint64_t payload_bytes = uint64_t{1} << 30;
};

enum class FrameStatus {
  done,       // sent or received
  timed_out,  // the deadline passed first
  closed,     // the other side is gone
  malformed,  // what came is no frame
};

struct ReceivedFrame {
  FrameStatus status = FrameStatus::closed;
  Frame frame = {};         // when done
  std::string reason = {};  // otherwise, one line
};

// `socket` is a connected stream socket. No call raises SIGPIPE nor blocks past the deadline.
FrameStatus send_frame(int socket, const Frame& frame, Deadline deadline);
ReceivedFrame receive_frame(int socket, Deadline deadline, const FrameLimits& limits = {});
// `done`: there is something to receive, or the other side is gone.
FrameStatus await_frame(int socket, Deadline deadline);

}  // namespace dovetail
