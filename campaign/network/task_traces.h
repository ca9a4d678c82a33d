// SPDX-License-Identifier: Apache-2.0
#pragma once

// TaskTraces: chooses the trace that each task of a network runs with, while the network is
// lowered, and remembers where each came from.
//
//   TaskTraces traces({.target = target, .log = log, .caches = caches});
//   traces.best(task)         the log's best record of it, else its default trace
//   traces.timed(task)        that one and slower ones, each with its time, to choose among
//   traces.found()            every task that was asked for: its trace, and the log's match
//
// An object, because a network's tasks are known only once it is lowered (conversions and regions
// over blocked layouts are tasks, too), and nodes that compute the same share a trace.

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

// A shared log, never null; without a value, all tasks have default traces.
using SharedLog = std::shared_ptr<const std::optional<Log>>;

struct TraceSources {
  Target target;
  SharedLog log;
  Caches caches = Caches::hot;  // records of this state come first
  AllowsAlgorithm allows = any_algorithm;
  // Set: each task runs with a random trace of its space, if that has several.
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

  Result<Trace> best(const KeyedTask& task);
  // best() alone if traces are random, else the candidates of timed_traces().
  Result<std::vector<TimedTrace>> timed(const KeyedTask& task);
  // The record of a trace of best() or timed(); level none if the log has none.
  RecordMatch match_of(const KeyedTask& task, const Trace& trace) const;
  const TraceSources& sources() const { return sources_; }
  const std::map<std::string, Found>& found() const { return found_; }  // by the task's text
  // For a complete network: the log of a large campaign takes more memory than the network does.
  void release_log() { sources_.log.reset(); }

 private:
  TraceSources sources_;
  TraceOfTask otherwise_;
  std::map<std::string, Found> found_;
};

}  // namespace dovetail
