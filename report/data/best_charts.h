// SPDX-License-Identifier: Apache-2.0
#pragma once

// Charts of best-so-far curves (search/compare/strategy_curve.h): the best candidate's time over
// trials, or over elapsed time.
//
//   best_so_far_chart(task, data, BudgetAxis::trials, true)
//   one series a strategy; several campaigns of one strategy: their median, and a band that is
//   the 95 % interval of that median (the whole range of few campaigns)
//
//   share_of_best_chart(data, BudgetAxis::trials)
//   over all tasks: best time at the end / best time so far, geometric mean and the middle half of
//   the tasks as its band

#include "report/data/campaign_data.h"
#include "report/pages/figure.h"
#include "search/compare/strategy_curve.h"

namespace dovetail {

// The chart of one task, with times as first measured. `dots` adds every valid trial, thinned
// evenly to at most 2000.
LineChart best_so_far_chart(const TaskData& task, const CampaignData& data, BudgetAxis axis,
                            bool dots);

// The chart of all tasks of all campaigns together.
LineChart share_of_best_chart(const CampaignData& data, BudgetAxis axis);

}  // namespace dovetail
