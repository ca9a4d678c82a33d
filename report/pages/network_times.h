// SPDX-License-Identifier: Apache-2.0
#pragma once

// network_times: how a network's time fell while it was tuned, where its milliseconds are, and
// which tasks to spend more on.
//
//   html += network_times(report, data, tuned_networks(data)[0], facts);

#include <string>

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/data/tuned_network.h"
#include "report/pages/page.h"

namespace dovetail {

std::string network_times(Report& report, const CampaignData& data, const TunedNetwork& network,
                          const MachineFacts& facts);

}  // namespace dovetail
