// SPDX-License-Identifier: Apache-2.0
#pragma once

// The trace that a region runs with: the best one that a log has for it, or the default trace.
//
//   const RegionTrace chosen = TRY(trace_for(region, target, "tune.jsonl", listener));
//   chosen.trace, chosen.match.name        of the record "tune.jsonl#1.17@…", if there is one
//
// Records are found by the region's spec, so that whatever is tuned is found. A written region that
// no kind spells has no space yet: its default trace is empty, which makes a kernel of plain loops
// of every computation.

#include <string>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/region/border.h"
#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "core/record/log/best_record.h"

namespace dovetail {

struct RegionTrace {
  Trace trace;
  Program program;    // of that trace
  RecordMatch match;  // level none: the default trace
};

Result<Trace> default_trace(const Region& region, const Border& border, const Target& target);

// Applied and lowered; the error says why the trace is illegal.
Result<Program> program_of(const Region& region, const Border& border, const Trace& trace,
                           const Target& target);

// `log` is a path, or empty: default traces are then what was asked for. A record whose trace this
// version or this device refuses is a miss. Notes the log's warnings, and why it has no exact
// match.
Result<RegionTrace> trace_for(const Region& region, const Target& target, const std::string& log,
                              const Listener& listener);

}  // namespace dovetail
