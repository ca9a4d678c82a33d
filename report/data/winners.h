// SPDX-License-Identifier: Apache-2.0
#pragma once

// Winners: what the best traces are made of: which layouts won, and which primitives they use. From
// the text of a trace and not the trace: a page must show those of other versions, too.

#include <string>

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/tables/data_table.h"

namespace dovetail {

// A row a tensor: how many winners have each layout primitive in it.
DataTable layout_table(const CampaignData& data);
// A row a primitive: how many winners have it in their loops.
DataTable loop_table(const CampaignData& data);

// The best trace of each task, as markup for a page.
std::string winners_html(const CampaignData& data, const MachineFacts& facts);

}  // namespace dovetail
