// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transport: carries frames to one other process and back.
//
//   SocketPair pair = TRY(socket_pair());             // socket_transport.h: for a child process
//   pair.ours->send(encode(request), deadline_after(2));
//   const ReceivedFrame reply = pair.ours->receive(deadline_after(2));
//
// The code that sends and receives does not know how the other process was reached or started:
// another way to it, such as TCP, is one more file here. A transport carries frames and nothing
// else. Memory is shared only between a process and one that it starts, which inherits the
// descriptors (measure/supervisor/child_process.h): no transport has to say whether that is
// possible.

#include <string>

#include "core/base/deadline.h"
#include "measure/transport/frame.h"

namespace dovetail {

enum class FrameStatus {
  done,       // sent or received
  timed_out,  // the deadline passed first
  closed,     // the other side is gone
  malformed,  // the bytes received are no frame
};

struct ReceivedFrame {
  FrameStatus status = FrameStatus::closed;
  Frame frame = {};         // when done
  std::string reason = {};  // otherwise; one line
};

// No call blocks past its deadline. One thread may send while another receives.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual FrameStatus send(const Frame& frame, Deadline deadline) = 0;
  virtual ReceivedFrame receive(Deadline deadline, const FrameLimits& limits = {}) = 0;
  // `done`: there is something to receive, or the other side is gone.
  virtual FrameStatus await(Deadline deadline) = 0;
};

}  // namespace dovetail
