// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of a live comparison: what its runs held for their best is measured again, all in turn.
//
//   run of random         50 us (a slow minute)   41 us                   the best so far
//   run of evolutionary   47 us                   43 us                   by their own times
//   both, in turn         45.2  40.9  44.8  40.7                          40.9 and 40.7
//
// Campaigns run for minutes, one after the other, and a clock drifts in between: a strategy that
// ran in a fast minute would win. Which trace a run held for its best is the run's own affair; how
// fast that trace is, is asked of all of them at once, and the fastest pass of each counts. As the
// finalists of a campaign are (search/history.h), only here of all campaigns together.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/tune/campaign.h"
#include "core/record/line/record.h"
#include "search/compare/compare_runs.h"

namespace dovetail {

using SecondsByTrace = std::map<std::string, double>;  // of what is still right; by text

// Traces that were faster than all before them in their run, in order.
std::vector<std::string> best_so_far_traces(std::span<const Record> records);

struct AgainRequest {
  const CampaignPlan& plan;  // of the workload, by any strategy
  std::vector<std::string> traces;
  int64_t passes = 1;  // over all of them
  std::string log;     // a campaign with each trace as a trial; what is there is not done again
};
// Nothing: it was interrupted. An error: the log or the device.
Result<std::optional<SecondsByTrace>> measure_again(const AgainRequest& request,
                                                    const Listener& listener);

// Gives the best that each trial of the run had found, by the new times; a failure stays one, so is
// what came before the first trace that is right.
std::vector<Evaluation> judged_evaluations(std::span<const Record> records,
                                           const SecondsByTrace& seconds);

}  // namespace dovetail
