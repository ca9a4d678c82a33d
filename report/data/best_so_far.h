// SPDX-License-Identifier: Apache-2.0
#pragma once

// Best-so-far curves: how fast the best candidate was after so many trials, or so much time.
//
//   best_so_far(task, data, Budget::trials)
//   one series a strategy; several campaigns of one strategy: their median, and a band that is
//   the 95 % interval of that median (the whole range of few campaigns)
//
//   share_of_best(data)    over all tasks: best time at the end / best time so far, geometric mean
//                          and the middle half of the tasks as its band

#include "report/data/campaign_data.h"
#include "report/pages/figure.h"

namespace dovetail {

enum class BudgetAxis { trials, seconds };

// The chart of one task, times as they were first measured. `dots`: every valid trial, too (a few
// thousand at most, evenly taken).
LineChart best_so_far(const TaskData& task, const CampaignData& data, BudgetAxis axis, bool dots);

// The chart of all tasks of all campaigns together.
LineChart share_of_best(const CampaignData& data, BudgetAxis axis);

}  // namespace dovetail
