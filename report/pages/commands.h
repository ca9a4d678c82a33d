// SPDX-License-Identifier: Apache-2.0
#pragma once

// The commands that a campaign's page names, as a shell reads them.
//
//   tune_command(campaign)            dovetail tune resnet18.onnx --target cpu --trials 300 …
//   use_commands(data, 0, true)       what runs, builds and continues what was found

#include <string>
#include <vector>

#include "report/data/campaign_data.h"

namespace dovetail {

struct NamedCommand {
  std::string purpose = {};
  std::string command = {};
};

// The command that began a campaign, from its header.
std::string tune_command(const CampaignInfo& campaign);
// The same with twice the budget, as a campaign that goes on.
std::string longer_tune_command(const CampaignInfo& campaign);
// The command that runs the best of these specs again.
std::string replay_command(const CampaignInfo& campaign, const std::vector<std::string>& specs);

std::vector<std::string> specs_of(const CampaignData& data, size_t campaign);

// Says whether the campaign tuned a model, though logs of older versions do not name its file.
bool tunes_model(const CampaignInfo& campaign);
// The folder that `build` makes where a command names several models: resnet18-package.
std::string package_of(const std::string& model);

// The last campaign of each log that tuned the same workload on the same target.
std::vector<size_t> campaigns_to_use(const CampaignData& data);
// For one of them; where it is not the only one, packages have their models' names.
std::vector<NamedCommand> use_commands(const CampaignData& data, size_t campaign, bool is_only);

}  // namespace dovetail
