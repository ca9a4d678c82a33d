// SPDX-License-Identifier: Apache-2.0
#pragma once

// notes_on: remarks on a task when its campaign is done, one per line.
//
//   conv1: strategy exhaustive proposes nothing new after 96 trials
//   conv1: warning: the default trace's time moved by +7.1 % during the campaign; other programs, …
//   conv1: no valid candidate: layout X: …
//   conv1: a trial takes about 14 s, and its share of the time is 5 s

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "campaign/tune/campaign.h"

namespace dovetail {

std::vector<std::string> notes_on(const TaskSpace& task, const CampaignPlan& plan,
                                  const TuneSummary& summary);

// Lines for the whole campaign, none where each task has its share:
//
//   3 of 20 tasks have no trial, and keep their default traces: conv1, conv2, fc
//   5 of 20 tasks have one trial only: pool, flatten, …
std::vector<std::string> notes_on_few_trials(const std::deque<TaskSpace>& spaces,
                                             const std::map<std::string, TuneSummary>& tasks);

}  // namespace dovetail
