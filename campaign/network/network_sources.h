// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkSources: the model and the log that define a network, and how they are read.
//
//   const NetworkSources sources{.model = "net.onnx", .log = "tune.jsonl"};
//   const SharedLog log = TRY(sources.read_log(listener));
//   Partition parts = TRY(sources.read_parts(*log));       regions as the log tuned them
//   TRY(log_of_variant(log, "loop_only"))                  the log's campaigns of it
//
// In one place, because `run`, `show` and `build` must read the same network, and its regions
// depend on the log.

#include <optional>
#include <string>

#include "campaign/listener.h"
#include "campaign/network/task_traces.h"
#include "campaign/workloads.h"
#include "core/base/result.h"
#include "core/frontend/partition/partition.h"

namespace dovetail {

struct NetworkSources {
  std::string model;
  ModelInputs inputs = {};
  std::string log = {};  // empty: default traces
  bool exact = false;    // drop records of algorithms that round otherwise

  // Notes the log's warnings.
  Result<SharedLog> read_log(const Listener& listener) const;
  Result<Partition> read_parts(const std::optional<Log>& log) const;
};

// The part of the log that a variant reads: none (`default`), its campaigns (`no_layouts`,
// `loop_only`), or all.
Result<SharedLog> log_of_variant(const SharedLog& log, const std::optional<std::string>& variant);

}  // namespace dovetail
