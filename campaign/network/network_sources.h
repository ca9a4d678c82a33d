// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkSources: where a network comes from, a model and a log, and what is read of them.
//
//   const NetworkSources sources{.model = "net.onnx", .log = "tune.jsonl"};
//   const SharedLog log = TRY(sources.read_log(listener));
//   Partition parts = TRY(sources.read_parts(*log));       regions as the log tuned them
//   TRY(log_of_variant(log, "loop_only"))                  the log's campaigns of it
//
// Why in one place: what is run, looked at, or built into a package must be the same network, and
// which regions it has depends on the log.

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
  std::string log = {};  // empty: default traces, which is then what was asked for
  bool exact = false;    // without the records of algorithms that round otherwise

  // Notes the log's warnings.
  Result<SharedLog> read_log(const Listener& listener) const;
  Result<Partition> read_parts(const std::optional<Log>& log) const;
};

// A variant reads nothing of the log (`default`), its campaigns (`loop_only`), or all of it.
Result<SharedLog> log_of_variant(const SharedLog& log, const std::optional<std::string>& variant);

}  // namespace dovetail
