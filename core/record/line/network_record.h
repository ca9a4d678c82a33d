// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkRecord: how a whole network runs best, as measurements of whole networks decided it, as a
// line of a log.
//
//   {"kind":"network","campaign":1,"model":"mobilenet_v2","graph":"9f3c5a1e0b7d2468",
//    "variant":"global","target":"cpu","device":"AMD EPYC (znver4)","trials":1500,
//    "seconds":0.0058,"joint_seconds":0.0071,"networks":17,"weights_ahead":true,
//    "fused":[["expand","dw","project"]],
//    "nodes":[{"node":"conv1","trace":"layout W …"},{"node":"pool","forms":{"t":"1@16:4 …"}}],
//    "calls":[{"call":"conv1","with":["relu"],"seconds":0.00031,"given":[{"tensor":"input",…}],…}],
//    "crc":"..."}
//
// A graph is known by a hash of its text, which names and shapes are in and numbers are not. Nodes
// that are not here run as they would without a choice. Of several such lines of one graph, target
// and device the last one holds, until the log has more trials than it was chosen from.
//
// Fields "fused" and "nodes" choose the network again. "calls" says what it then runs, and what
// each call took in it, so that a report can draw the network without its model.
//
// Readers of trials have no use for it and keep it among the lines of other kinds
// (core/record/log/log.h).

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
  std::string node;                          // of the partition, or the last one of what is fused
  std::string trace = {};                    // of a region with a product
  std::map<std::string, std::string> forms;  // of any other: how tensors are stored
  bool stays = false;                        // no element moves
  friend bool operator==(const NodeOfNetwork&, const NodeOfNetwork&) = default;
};

struct StoredTensor {
  std::string tensor;
  std::string form;  // core/ir/layout/normal_form.h, of dimensions 0, 1, … of the graph's tensor
  friend bool operator==(const StoredTensor&, const StoredTensor&) = default;
};

struct CallOfNetwork {
  std::string call;                                 // a node, or convert.TENSOR
  std::vector<std::string> with = {};               // nodes that run inside it
  bool is_conversion = false;                       // of a tensor into another form
  std::optional<double> seconds = {};               // of its kernels, as the network runs them
  std::vector<StoredTensor> given = {}, made = {};  // tensors between calls, constants not
  friend bool operator==(const CallOfNetwork&, const CallOfNetwork&) = default;
};

struct NetworkRecord {
  int64_t campaign = 1;  // the last one when it was chosen
  std::string model;     // the graph's name
  std::string graph;     // hash of its text
  std::string variant = "global";
  bool exact = false;
  std::optional<int64_t> memory_limit_bytes = {};  // constants and temporaries had to fit
  std::string target, device;
  int64_t trials = 0;  // of the log when it was chosen
  double seconds = 0, joint_seconds = 0;
  int64_t networks = 1;  // that were measured
  bool weights_ahead = false;
  std::vector<std::vector<std::string>> fused = {};
  std::vector<NodeOfNetwork> nodes = {};
  std::vector<CallOfNetwork> calls = {};  // in the order in which they run
  UnknownFields unknown;
  friend bool operator==(const NetworkRecord&, const NetworkRecord&) = default;
};

std::string print(const NetworkRecord& network);  // one line with its checksum, no newline

// Reads what open_line gave (core/record/line/log_line.h), written under `schema`.
Result<NetworkRecord> parse_network_record(std::string_view object, int schema = kSchema);

}  // namespace dovetail
