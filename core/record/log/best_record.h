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
// compete, by the last of those sittings (the best of a thousand first readings is partly luck).
// Then campaigns compete with each other. Finalists that cannot be told apart are a tie set, broken
// by a fixed rule; equal times go to the earlier record. So a log always gives one answer.
//
// Times of hot and of cold caches do not compare, so campaigns compete only with those of one
// state: the one that was asked for or, where the log has none of it, the nearest to it
// (core/record/line/caches.h). Which it was stands in the record.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/line/caches.h"
#include "core/record/log/log.h"

namespace dovetail {

enum class MatchLevel { exact, family, none };
std::string_view print(MatchLevel level);  // "exact", "family", "default"

// last_sittings: the confirmations that count, in the order of the file. A campaign that was ended,
// extended and ended again was measured again each time, and only times of one sitting compare: of
// each task of each campaign these are the lines of its last sitting, and of a trial that was
// measured twice in it (the first attempt was cut short) the last one.
//
//   confirmation of 1, 7, 3 at 20 trials;  of 1, 7, 44 at 60   ->   those of 1, 7, 44
//
// Lines that do not say their sitting are those of one, the first, and all of them count.
std::vector<const Record*> last_sittings(std::span<const Record> records);

// The best trial of one task in one campaign.
struct BestTrial {
  Record record;
  double seconds = 0;  // median of its confirmations if it has some, else of its own samples
  bool confirmed = false;
  // Trials that cannot be told apart from it (are_tied), itself included;
  // ascending.
  std::vector<int64_t> tied;
};

// One entry for each task of each campaign that has a valid record, in the order of the file.
std::vector<BestTrial> best_trials(std::span<const Record> records);

struct TaskQuery {
  std::string task;    // canonical spec
  std::string target;  // resolved
  DeviceFacets device;
  Caches caches = Caches::hot;  // as its time is wanted
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

// Tie set: the finalists that cannot be told apart from the fastest one.
//
//   trial   median      95 % interval of the median
//     7     0.861 ms    0.858 .. 0.866
//    42     0.863 ms    0.860 .. 0.869     overlaps: tied with trial 7
//    13     0.880 ms    0.876 .. 0.883     slower
//
// Which of 7 and 42 came out first is chance, and would be another one tomorrow. Among tied ones
// the one with the least workspace wins, then the earliest trial, so that the same search ends with
// the same trace on a quiet and on a noisy machine.
//
// Two tie when their intervals overlap and their medians differ by 2 % at most: however noisy
// the samples are, a tie never costs more.
bool are_tied(std::span<const double> fastest, std::span<const double> other);

// In which fields two specs differ, for messages.
//
//   spec_differences("c2d:ci=32,co=64,h=56,w=56,k=3+bias", "c2d:ci=64,co=64,h=56,w=56,k=3,s=2")
//     {"ci is 32 there, 64 here", "epilogue is bias there, none here",
//      "s is not set there, 2 here"}
//
// Works on the text, key by key, so that it also serves specs that this version cannot parse.
std::vector<std::string> spec_differences(std::string_view there, std::string_view here);

}  // namespace dovetail
