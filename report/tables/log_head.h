// SPDX-License-Identifier: Apache-2.0
#pragma once

// log_head: the campaigns of logs, a row each: when, on what, with which options, and how far.
//
//   campaign  started               target  seed  tasks  trials  state       options
//   tune#1    2026-11-20T08:15:00Z  cpu        0      1     300  finished    trials=300 …
//   tune#2    2026-11-21T09:00:00Z  cpu        1      1      12  unfinished  trials=300 …

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/record/line/log_header.h"
#include "core/record/log/log.h"

namespace dovetail {

enum class CampaignState : uint8_t {
  finished,     // every task of the campaign was tuned and its best confirmed
  unfinished,   // interrupted, or still running
  out_of_time,  // ended by its limit in seconds, before all tasks were tuned and confirmed
  distilled,    // `log distill` left too little to tell
};
std::string_view print(CampaignState state);

struct CampaignHead {
  std::string log;
  LogHeader header;
  int64_t tasks = 0, trials = 0;
  double elapsed_seconds = 0;
  CampaignState state = CampaignState::unfinished;
};

// In the order of the logs.
std::vector<CampaignHead> campaign_heads(std::span<const Log> logs);
std::string head_table(const std::vector<CampaignHead>& heads);
std::string head_json(const std::vector<CampaignHead>& heads);

}  // namespace dovetail
