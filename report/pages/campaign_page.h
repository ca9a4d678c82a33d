// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page of a campaign, or of several: what was run, what came of it, where time went, what
// failed and why, whether the machine drifted, which layouts won.
//
//   campaign_report(data, facts, {})                       a page as it is now
//   campaign_report(data, facts, {.reload_seconds = 5})    one that loads itself anew
//
// A part without data says in one line why it is empty, or is left out where nothing could be
// there.

#include "report/data/campaign_data.h"
#include "report/data/machine_facts.h"
#include "report/pages/report.h"

namespace dovetail {

struct PageState {
  int reload_seconds = 0;    // 0: the page stays as it is
  std::string written = {};  // when, UTC; empty: not said
};

Report campaign_report(const CampaignData& data, const MachineFacts& facts, const PageState& state);

// Gives the command that began a campaign, as a shell reads it, from its header.
std::string tune_command(const CampaignInfo& campaign);
std::string replay_command(const CampaignInfo& campaign, const std::vector<std::string>& specs);

}  // namespace dovetail
