// SPDX-License-Identifier: Apache-2.0
#pragma once

// The trace that a region runs with: the best one that a log has for it, or the default trace.
//
//   const RegionTrace chosen = TRY(trace_for(task, target, "tune.jsonl", listener));
//   chosen.trace, chosen.match.name        of the record "tune.jsonl#1.17@…", if there is one
//
// Records are found by the region's spec, so that whatever is tuned is found.

#include <string>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "core/record/log/best_record.h"

namespace dovetail {

struct RegionTrace {
  Trace trace;
  Program program;    // of that trace
  RecordMatch match;  // level none: the default trace
};

// `log` is a path, or empty: default traces are then what was asked for. A record whose trace this
// version or this device refuses is a miss. Notes the log's warnings, and why it has no exact
// match.
Result<RegionTrace> trace_for(const TaskSpec& task, const Target& target, const std::string& log,
                              const Listener& listener);

}  // namespace dovetail
