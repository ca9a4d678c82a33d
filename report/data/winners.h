// SPDX-License-Identifier: Apache-2.0
#pragma once

// Winners: the layouts and primitives of the best traces. Loops are parsed from a trace's text, not
// as a Trace, because a page must show those of other versions, too; their layouts are left out.

#include <string>

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/tables/data_table.h"

namespace dovetail {

// One row per layout of outputs, inputs and constants: how many winners have it, and which.
DataTable layout_table(const CampaignData& data, const MachineFacts& facts);
// One row per primitive: how many winners use it in their loops.
DataTable loop_table(const CampaignData& data);

// The best trace of each task, as markup for a page.
std::string winners_html(const CampaignData& data, const MachineFacts& facts);

}  // namespace dovetail
