// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages between dovetail and dovetail-peers, in the frames of measure/transport/frame.h:
//
//   load   spec, inputs                 -> loaded   version, implementations, or why there are none
//   run    implementation               -> ran      status, one run's output in framework order
//   time   TimeRequest (worker_messages.h) -> timed samples of the implementation that was run last
//
// A run prepares its implementation if necessary, and `alone` first releases the others: large
// operators have operands of gigabytes in every layout.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/named_arrays.h"
#include "core/record/line/measure_result.h"
#include "measure/peers/peer.h"
#include "measure/transport/frame.h"

namespace dovetail {

struct PeerLoadRequest {
  static constexpr const char* kType = "load";
  std::string spec = {};    // an operator's
  NamedArrays inputs = {};  // in f32
};

struct PeerLoadReply {
  static constexpr const char* kType = "loaded";
  std::string version = {};
  std::string reason = {};  // why there are no implementations
  std::vector<Implementation> implementations = {};
  friend bool operator==(const PeerLoadReply&, const PeerLoadReply&) = default;
};

struct PeerRunRequest {
  static constexpr const char* kType = "run";
  int64_t implementation = 0;
  bool alone = true;          // release the others first
  bool output_wanted = true;  // false: only prepare for timing
  friend bool operator==(const PeerRunRequest&, const PeerRunRequest&) = default;
};

struct PeerRunReply {
  static constexpr const char* kType = "ran";
  Status status = Status::ok;
  std::string reason = {};
  double seconds = 0;  // one run
  std::vector<float> output = {};
  friend bool operator==(const PeerRunReply&, const PeerRunReply&) = default;
};

auto fields_of(Of<Implementation> auto& one) {
  return std::tuple(Field{"name", one.name}, Field{"algorithm", one.algorithm},
                    Field{"free", one.free}, Field{"row_major", one.row_major});
}

auto fields_of(Of<PeerLoadReply> auto& message) {
  return std::tuple(Field{"version", message.version}, Field{"reason", message.reason},
                    Field{"implementations", message.implementations});
}

auto fields_of(Of<PeerRunRequest> auto& message) {
  return std::tuple(Field{"implementation", message.implementation}, Field{"alone", message.alone},
                    Field{"output_wanted", message.output_wanted});
}

auto fields_of(Of<PeerRunReply> auto& message) {
  return std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                    Field{"seconds", message.seconds});
}

auto& payload_of(Of<PeerRunReply> auto& message) { return message.output; }

// The concatenated inputs follow the fields, which hold the number of floats of each.
template <>
Frame encode(const PeerLoadRequest& message);
template <>
Result<PeerLoadRequest> decode(const Frame& frame);

}  // namespace dovetail
