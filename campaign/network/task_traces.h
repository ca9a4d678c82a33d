// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskTraces: the trace that each task of a network runs with, asked for while the network is put
// together, and where each came from.
//
//   TaskTraces traces({.target = target, .log = log, .caches = caches});
//   traces.best(task)         the log's best record of it, else its default trace
//   traces.timed(task)        that one and slower ones, each with its time, to choose among
//   traces.found()            every task that was asked for: its trace, and the log's match
//
// Why an object: which tasks a network has is known only when it is lowered, because conversions
// and regions over blocks are tasks, too; nodes that compute the same have one trace.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/network/network_variants.h"
#include "core/base/result.h"
#include "core/record/log/best_record.h"
#include "core/record/log/log.h"
#include "deploy/network/lower_network.h"

namespace dovetail {

// A log that several share, never null; where it holds none, all have default traces.
using SharedLog = std::shared_ptr<const std::optional<Log>>;

struct TraceSources {
  Target target;
  SharedLog log;
  Caches caches = Caches::hot;  // records of this state come first
  AllowsAlgorithm allows = any_algorithm;
  // Each task runs with a random trace of its space, where that has several.
  std::optional<uint64_t> trace_seed = {};
  SlowerTraces slower = SlowerTraces::few;
};

class TaskTraces {
 public:
  struct Found {
    Trace trace;
    RecordMatch match;  // level none: the default trace, or a random one
    bool is_random = false;
  };

  explicit TaskTraces(TraceSources sources);

  Result<Trace> best(const TaskSpec& task);
  // A task without a record, or with a random trace, has only that one.
  Result<std::vector<TimedTrace>> timed(const TaskSpec& task);
  // Where a trace of a task comes from, `best` or another one of `timed`. Level none: the log has
  // none such.
  RecordMatch match_of(const TaskSpec& task, const Trace& trace) const;
  const TraceSources& sources() const { return sources_; }
  const std::map<std::string, Found>& found() const { return found_; }  // by the task's text
  // The network is complete: the log of a large campaign takes more memory than it does.
  void release_log() { sources_.log.reset(); }

 private:
  TraceSources sources_;
  TraceOfTask otherwise_;
  std::map<std::string, Found> found_;
};

}  // namespace dovetail
