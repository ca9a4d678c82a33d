// SPDX-License-Identifier: Apache-2.0
#pragma once

// The section of a page that says how the kernels of the best traces use their devices, by the
// facts that the logs' headers state: no device need be here.

#include <optional>

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/pages/page.h"

namespace dovetail {

// None where all tasks ran on threads.
std::optional<Section> kernels_section(Report& report, const CampaignData& data,
                                       const MachineFacts& facts);

}  // namespace dovetail
