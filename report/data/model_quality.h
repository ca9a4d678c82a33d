// SPDX-License-Identifier: Apache-2.0
#pragma once

// How well cost models ordered candidates: round by round over all tasks, and one row per task.
//
//   model_curves(data)    Kendall's tau, top-1 and top-5 recall over rounds
//   model_table(data)     their means by task, what training took, what a warm start added
//
// A single round says little (its top-1 recall is 0 or 1), so each point of a curve is the mean
// over all tasks and over the last five rounds. The metrics: costmodel/rank_quality.h.

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/pages/figure.h"
#include "report/tables/data_table.h"

namespace dovetail {

bool has_rounds(const CampaignData& data);
Figure model_curves(const CampaignData& data);
DataTable model_table(const CampaignData& data, const MachineFacts& facts);

}  // namespace dovetail
