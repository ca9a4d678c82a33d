// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_region: one region with a trace, on these inputs, checked: what `run` does with a spec.
// check_region: the check alone, of outputs that a network computed.

#include <optional>

#include "campaign/recorded_tasks.h"
#include "campaign/run/run.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region.h"
#include "measure/timing.h"

namespace dovetail {

struct RegionRun {
  RunRow row;
  RegionInputs outputs;                     // by the region's names; empty where it did not run
  std::optional<Algorithm> algorithm = {};  // of the trace that ran
};

// `task` is the region's, in canonical names; without a rule of timing it runs once.
RegionRun run_region(const Region& region, const CanonicalTask& task, const RegionTrace& chosen,
                     const Target& target, const RegionInputs& inputs,
                     const std::optional<TimingRule>& timing);

struct RegionCheck {
  double max_abs_error = 0;
  double max_rel_error = 0;  // measure/output_check.h
  double range_error = 0;    // of the worst output, over its range
  std::string reason;        // empty: all outputs are right
};

// How a region's sums are added up by a trace: through how many additions a term goes at most.
SumBound sum_bound(const TaskSpec& task, const Trace& trace, const Target& target);

// Inputs and outputs are by the region's names, in logical order.
RegionCheck check_region(const Region& region, const Trace& trace, const SumBound& sums,
                         const RegionViews& inputs, const RegionViews& outputs);

}  // namespace dovetail
