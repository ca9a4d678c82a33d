// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkRecord: the fastest known configuration of a whole network, chosen by measuring whole
// networks, as a line of a log.
//
//   {"kind":"network","campaign":1,"model":"mobilenet_v2","graph":"9f3c5a1e0b7d2468",
//    "variant":"global","target":"cpu","device":"AMD EPYC (znver4)","trials":1500,
//    "seconds":0.0058,"joint_seconds":0.0071,"networks":17,"weights_ahead":true,
//    "fused":[["expand","dw","project"]],
//    "nodes":[{"node":"conv1","trace":"layout W …"},{"node":"pool","forms":{"t":"1@16:4 …"}}],
//    "calls":[{"call":"conv1","with":["relu"],"seconds":0.00031,"given":[{"tensor":"input",…}],…}],
//    "crc":"..."}
//
// A graph is identified by a hash of its text, which includes names and shapes but not weights.
// Nodes that are not listed run with their defaults. Of several such lines for one graph, target
// and device the last one counts, until the log has more trials than it was chosen from.
//
// Fields "fused" and "nodes" reproduce the configuration. "calls" lists the resulting calls and
// their times, so that a report can draw the network without its model.
//
// Readers of trials ignore it and keep it among the lines of other kinds (core/record/log/log.h).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/json_fields.h"
#include "core/record/line/log_line.h"

namespace dovetail {

inline constexpr std::string_view kNetworkKind = "network";

struct NodeOfNetwork {
  std::string node;                          // node of the partition, or the last of a fused group
  std::string trace = {};                    // regions with a product
  std::map<std::string, std::string> forms;  // other regions: how tensors are stored
  bool stays = false;                        // a transpose that moves no element
  friend bool operator==(const NodeOfNetwork&, const NodeOfNetwork&) = default;
};

struct StoredTensor {
  std::string tensor;
  std::string form;  // core/ir/layout/normal_form.h, over dimensions 0, 1, … of the tensor
  friend bool operator==(const StoredTensor&, const StoredTensor&) = default;
};

struct CallOfNetwork {
  std::string call;                                 // a node, or convert.TENSOR
  std::vector<std::string> with = {};               // nodes fused into it
  bool is_conversion = false;                       // converts a tensor to another form
  std::optional<double> seconds = {};               // its kernels, timed inside the network
  std::vector<StoredTensor> given = {}, made = {};  // tensors between calls, without constants
  friend bool operator==(const CallOfNetwork&, const CallOfNetwork&) = default;
};

struct NetworkRecord {
  int64_t campaign = 1;  // the log's last one when it was chosen
  std::string model;     // the graph's name
  std::string graph;     // hash of its text
  std::string variant = "global";
  bool exact = false;
  std::optional<int64_t> memory_limit_bytes = {};  // on constants and temporaries
  std::string target, device;
  int64_t trials = 0;  // in the log when it was chosen
  double seconds = 0, joint_seconds = 0;
  int64_t networks = 1;  // networks that were measured
  bool prefetches_weights = false;
  std::vector<std::vector<std::string>> fused = {};
  std::vector<NodeOfNetwork> nodes = {};
  std::vector<CallOfNetwork> calls = {};  // in the order in which they run
  UnknownFields unknown;
  friend bool operator==(const NetworkRecord&, const NetworkRecord&) = default;
};

std::string print(const NetworkRecord& network);  // one line with its checksum, no newline

// Parses the output of open_line (core/record/line/log_line.h), written under `schema`.
Result<NetworkRecord> parse_network_record(std::string_view object, int schema = kSchema);

}  // namespace dovetail
