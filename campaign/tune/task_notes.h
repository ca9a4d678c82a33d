// SPDX-License-Identifier: Apache-2.0
#pragma once

// notes_on: what is worth saying of a task when its campaign is done, a line each.
//
//   conv1: strategy exhaustive proposes nothing new after 96 trials
//   conv1: warning: the default trace's time moved by +7.1 % during the campaign; other programs, …
//   conv1: no valid candidate: layout X: …

#include <string>
#include <vector>

#include "campaign/tune/campaign.h"

namespace dovetail {

std::vector<std::string> notes_on(const TaskSpace& task, const CampaignPlan& plan,
                                  const TuneSummary& summary);

}  // namespace dovetail
