// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of a live comparison: the best traces of all runs are measured again, in turn.
//
//   run of random         50 us (a slow minute)   41 us                   the best so far
//   run of evolutionary   47 us                   43 us                   by their own times
//   both, in turn         45.2  40.9  44.8  40.7                          40.9 and 40.7
//
// Campaigns run for minutes, one after another, and the clock drifts in between: a strategy that
// ran in a fast minute would win. Each run decides which traces were its best; their times are
// measured for all runs together, and the fastest pass of each counts. The finalists of a campaign
// are confirmed likewise (search/history.h), here across campaigns.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/tune/campaign.h"
#include "core/record/line/record.h"
#include "search/compare/compare_runs.h"

namespace dovetail {

using SecondsByTrace = std::map<std::string, double>;  // valid traces only; by text

// Traces that were faster than all before them in their run, in order.
std::vector<std::string> best_so_far_traces(std::span<const Record> records);

struct AgainRequest {
  const CampaignPlan& plan;  // the workload's, by any strategy
  std::vector<std::string> traces;
  int64_t passes = 1;  // over all of them
  std::string log;     // gets a campaign with a trial per trace; reused if it has all
};
// None if interrupted. Errors: the log or the device.
Result<std::optional<SecondsByTrace>> measure_again(const AgainRequest& request,
                                                    const Listener& listener);

// For each trial, the run's best so far, by the new times; failed trials stay failures, as do those
// before the first trace that is valid now.
std::vector<Evaluation> judged_evaluations(std::span<const Record> records,
                                           const SecondsByTrace& seconds);

}  // namespace dovetail
