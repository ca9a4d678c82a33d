// SPDX-License-Identifier: Apache-2.0
#pragma once

// notes_on: remarks on a task when its campaign is done, one per line.
//
//   conv1: strategy random proposes nothing new after 96 trials
//   conv1: 192 points, 56 different programs: all measured
//   conv1: warning: the default trace's time moved by +7.1 % during the campaign; other programs, …
//   conv1: no valid candidate: layout X: …

#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "campaign/tune/campaign.h"

namespace dovetail {

std::vector<std::string> notes_on(const TaskSpace& task, const CampaignPlan& plan,
                                  const TuneSummary& summary);

// "1 task of the log is no longer part of the network, as its layouts changed: pool_2"; empty where
// no record is left. `records`: those of the campaign that none of its tasks took.
std::string note_on_left_tasks(std::span<const Record> records, std::span<const Layer> layers);

// Lines for the whole campaign, none where each task has its share:
//
//   2 of 20 tasks: a trial takes longer than a task's share of the time, 5 s: conv1 (14 s), …
//   35 of 40 trials are spent: the others were kept for tasks that the chosen layouts add, and …
//   3 of 20 tasks have no trial, and keep their default traces: conv1, conv2, fc
//   5 of 20 tasks have one trial only: pool, flatten, …
std::vector<std::string> notes_on_shares(const CampaignPlan& plan,
                                         const std::deque<TaskSpace>& spaces,
                                         const std::map<std::string, TuneSummary>& tasks);

}  // namespace dovetail
