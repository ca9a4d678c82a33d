// SPDX-License-Identifier: Apache-2.0
#pragma once

// best_record: which trace of a log to use for a task on a device, and how well it fits.
//
//   best_record(log, {.task = "gmm:m=512,n=512,k=512", .target = "cpu", .device = here})
//     level exact    a record of this spec, this target, this device: the fastest valid one
//     level family   of this spec, on another device of its family or another form of the target
//     level none     no record to use: the default trace is what is left; `explanation` names the
//                    record nearest to what was asked for, and every field in which it differs
//
// Fastest is decided within a campaign first: where finalists were measured again, only they
// compete, by those fresh measurements (the best of a thousand first readings is partly luck). Then
// campaigns compete with each other. Finalists that cannot be told apart are a tie set, broken by a
// fixed rule; equal times go to the earlier record. So a log always gives one answer.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/log/log.h"

namespace dovetail {

enum class MatchLevel { exact, family, none };
std::string_view print(MatchLevel level);  // "exact", "family", "default"

// The best trial of one task in one campaign.
struct BestTrial {
  Record record;
  double seconds = 0;  // median of its confirmations if it has some, else of its own samples
  bool confirmed = false;
  // Trials that cannot be told apart from it (core/record/statistics/tie_set.h), itself included;
  // ascending.
  std::vector<int64_t> tied;
};

// One entry for each task of each campaign that has a valid record, in the order of the file.
std::vector<BestTrial> best_trials(std::span<const Record> records);

struct TaskQuery {
  std::string task;    // canonical spec
  std::string target;  // resolved
  DeviceFacets device;
};

struct RecordMatch {
  MatchLevel level = MatchLevel::none;
  std::optional<BestTrial> best;  // none at level none
  std::string name;               // of `best` as a record; empty at level none
  std::string explanation;        // why it is no better match, in one line; empty when exact
};

RecordMatch best_record(const Log& log, const TaskQuery& query);

// The same for many tasks, at the price of one.
std::vector<RecordMatch> best_records(const Log& log, const std::vector<TaskQuery>& queries);

// In which fields two specs differ, for messages.
//
//   spec_differences("c2d:ci=32,co=64,h=56,w=56,k=3+bias", "c2d:ci=64,co=64,h=56,w=56,k=3,s=2")
//     {"ci is 32 there, 64 here", "epilogue is bias there, none here",
//      "s is not set there, 2 here"}
//
// Works on the text, key by key, so that it also serves specs that this version cannot parse.
std::vector<std::string> spec_differences(std::string_view there, std::string_view here);

}  // namespace dovetail
