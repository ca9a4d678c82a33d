// SPDX-License-Identifier: Apache-2.0
#pragma once

// RecordName: what a trial is called on the command line, in tables and in --json:
// LOG#CAMPAIGN.TRIAL.
//
//   tune.jsonl#1.17                     trial 17 of campaign 1 of the file tune.jsonl
//   net.jsonl#1.17@gmm:m=512,n=8,k=64   where a campaign tuned several tasks, which one
//
// Trials are numbered per task, so the short form is enough for a campaign of one task, and whoever
// prints a name adds the task when it is not. The last '#' counts: a file's name may contain
// others.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

struct RecordName {
  std::string log;  // path of the file
  int64_t campaign = 1;
  int64_t trial = 1;
  std::string task;  // a spec; empty when the campaign has one task
  friend bool operator==(const RecordName&, const RecordName&) = default;
};

std::string print(const RecordName& name);
Result<RecordName> parse_record_name(std::string_view text);

}  // namespace dovetail
