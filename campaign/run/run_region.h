// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_region: runs one region with a trace on given inputs and checks it, as `run` does with a
// spec. check_region: the check alone, for outputs that a network computed.

#include <optional>

#include "campaign/recorded_tasks.h"
#include "campaign/run/run.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region.h"
#include "measure/timing.h"

namespace dovetail {

struct RegionRun {
  RunRow row;
  NamedArrays outputs;                      // by the region's names; empty where it did not run
  std::optional<Algorithm> algorithm = {};  // none: the definition's sums
};

// `task` is the region's, in canonical names. Without `timing` it runs once.
RegionRun run_region(const Region& region, const CanonicalTask& task, const RegionTrace& chosen,
                     const Target& target, const NamedArrays& inputs,
                     const std::optional<TimingRule>& timing);

struct RegionCheck {
  double max_abs_error = 0;
  double max_rel_error = 0;  // measure/check/output_check.h
  double range_error = 0;    // worst output's, over its range
  std::string reason;        // empty: all outputs are right
};

// The summation order of a trace: the most additions that any term goes through.
SumBound sum_bound(const TaskSpec& task, const Trace& trace, const Target& target);

// Inputs and outputs are by the region's names, in logical order.
RegionCheck check_region(const Region& region, const Trace& trace, const SumBound& sums,
                         const NamedArrays& inputs, const NamedArrays& outputs);

}  // namespace dovetail
