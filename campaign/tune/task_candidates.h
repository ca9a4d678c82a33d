// SPDX-License-Identifier: Apache-2.0
#pragma once

// candidates_of: how the candidates of one task of a campaign are made.
//
//   proposed   to be measured: lowered, unless a scorer has done so, or the log has its time
//   scored     what the strategy asks the cost model about: lowered, and kept
//   drafted    what it asks the analytic model about: likewise
//
// Where measured results answer instead of a device, traces that they lack are rejected.

#include <span>

#include "campaign/tune/campaign.h"
#include "core/record/line/record.h"
#include "search/task_search.h"

namespace dovetail {

// `earlier`: the log's records. `task` and `plan` must outlive the result.
CandidateSources candidates_of(const TaskSpace& task, const CampaignPlan& plan,
                               std::span<const Record> earlier);

}  // namespace dovetail
