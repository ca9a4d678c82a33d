// SPDX-License-Identifier: Apache-2.0
#pragma once

// network_section: how the network's time fell and where it is (network_times.h); then the networks
// that measurements chose (`run --variant global`), each as a picture of its calls, with tables of
// its layouts and of the calls.
//
//   report.page.sections.push_back(network_section(report, data, facts));

#include <string>
#include <vector>

#include "core/record/line/network_record.h"
#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/pages/page.h"

namespace dovetail {

// Whether a model was tuned, or a network is kept; otherwise the page has no such section.
bool has_networks(const CampaignData& data);

// "x plain, t 1@16:4 2@1:56"
std::string stored_text(const std::vector<StoredTensor>& tensors);

// If no network was measured, the section says how to get one.
Section network_section(Report& report, const CampaignData& data, const MachineFacts& facts);

}  // namespace dovetail
