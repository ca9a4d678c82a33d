// SPDX-License-Identifier: Apache-2.0
#pragma once

// dovetail and dovetail-peers say this to each other, in the frames of measure/frame.h:
//
//   load   spec, operands               -> loaded   version, implementations, or why there are none
//   run    implementation               -> ran      status, one run's output in framework order
//   time   rule (measure/messages.h)    -> timed    samples of the implementation that was run last
//
// A run prepares its implementation if it is not yet, and `alone` first releases the others: large
// operators have operands of gigabytes in every layout.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/measure_result.h"
#include "measure/frame.h"
#include "measure/peers/peer.h"

namespace dovetail {

struct PeerLoadRequest {
  std::string spec = {};
  Operands operands = {};
};

struct PeerLoadReply {
  std::string version = {};
  std::string reason = {};  // why there are no implementations
  std::vector<Implementation> implementations = {};
  friend bool operator==(const PeerLoadReply&, const PeerLoadReply&) = default;
};

struct PeerRunRequest {
  int64_t implementation = 0;
  bool alone = true;          // release the others before
  bool output_wanted = true;  // false: get ready to be timed, nothing more
  friend bool operator==(const PeerRunRequest&, const PeerRunRequest&) = default;
};

struct PeerRunReply {
  Status status = Status::ok;
  std::string reason = {};
  double seconds = 0;  // of this one run
  std::vector<float> output = {};
  friend bool operator==(const PeerRunReply&, const PeerRunReply&) = default;
};

Frame encode(const PeerLoadRequest& message);
Frame encode(const PeerLoadReply& message);
Frame encode(const PeerRunRequest& message);
Frame encode(const PeerRunReply& message);

Result<PeerLoadRequest> decode_peer_load_request(const Frame& frame);
Result<PeerLoadReply> decode_peer_load_reply(const Frame& frame);
Result<PeerRunRequest> decode_peer_run_request(const Frame& frame);
Result<PeerRunReply> decode_peer_run_reply(const Frame& frame);

}  // namespace dovetail
