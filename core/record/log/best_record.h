// SPDX-License-Identifier: Apache-2.0
#pragma once

// best_record: the trace of a log to use for a task on a device, and how well it matches.
//
//   best_record(log, {.task = "gmm:m=512,n=512,k=512", .target = "cpu", .device = here})
//     level exact    a record of this spec, this target, this device: the fastest valid one
//     level family   of this spec, on another device of its family or another form of the target
//     level none     no record to use: the default trace is what is left; `explanation` names the
//                    record nearest to what was asked for, and every field in which it differs
//
// The fastest is decided within a campaign first: where finalists were measured again, only they
// compete, by their last sitting (the best of a thousand first readings is partly luck). Then
// campaigns compete with each other. Statistically indistinguishable finalists are a tie set,
// broken by a fixed rule; equal times go to the earlier record. So the result is deterministic.
//
// Times of hot and cold caches are not comparable, so only campaigns of one cache state compete:
// the requested one or, where the log has none of it, the nearest (core/record/line/caches.h). The
// record has that state.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time_interval.h"
#include "core/record/line/caches.h"
#include "core/record/log/log.h"

namespace dovetail {

// `network`: no record of its own, but part of a network that was chosen by measuring it whole on
// this device. Only calls of networks have it (campaign/network/call_matches.h).
enum class MatchLevel { exact, network, family, none };
std::string_view print(MatchLevel level);  // "exact", "network", "family", "default"

// last_sittings: the confirmations that count, in the order of the file. A campaign that was ended,
// extended and ended again measured its finalists each time, and only times of one sitting are
// comparable: this returns the last sitting of each task of each campaign, and for a trial measured
// twice in it (the first attempt was cut short) the last line.
//
//   confirmation of 1, 7, 3 at 20 trials;  of 1, 7, 44 at 60   ->   those of 1, 7, 44
//
// Lines without a sitting belong to a first one, and all of them count.
std::vector<const Record*> last_sittings(std::span<const Record> records);

// The best trial of one task in one campaign.
struct BestTrial {
  Record record;
  double seconds = 0;  // median of its confirmations if any, else of its own samples
  bool confirmed = false;
  // The trials of its tie set (are_tied), itself included; ascending.
  std::vector<int64_t> tied;
  std::optional<TimeInterval> interval = {};  // how sure `seconds` is
};

// One entry per task and campaign with a valid record, in the order of the file.
std::vector<BestTrial> best_trials(std::span<const Record> records);

struct TaskQuery {
  std::string task;    // canonical spec
  std::string target;  // resolved
  DeviceFacets device;
  Caches caches = Caches::hot;  // the requested state
};

struct RecordMatch {
  MatchLevel level = MatchLevel::none;
  std::optional<BestTrial> best;  // none at level none
  std::string name;               // RecordName of `best`; empty at level none
  std::string nearest = {};       // unless exact: RecordName of the nearest; empty: no record
  std::string explanation;        // why it is no better match, on one line; empty when exact
  // The part of it that may be the same for many tasks: names no record, and no other spec where
  // the device differs. Empty when exact.
  std::string differences;
};

// The best of the records that `accepts` takes; without it, of all. The name is what find_record()
// expects of the whole log, whichever records compete.
using AcceptsRecord = std::function<bool(const Record&)>;
RecordMatch best_record(const Log& log, const TaskQuery& query, const AcceptsRecord& accepts = {});

// The same for many tasks, at the cost of one.
std::vector<RecordMatch> best_records(const Log& log, const std::vector<TaskQuery>& queries);

// Tie set: the finalists that are statistically indistinguishable from the fastest one.
//
//   trial   median      95 % interval of the median
//     7     0.861 ms    0.858 .. 0.866
//    42     0.863 ms    0.860 .. 0.869     overlaps: tied with trial 7
//    13     0.880 ms    0.876 .. 0.883     slower
//
// Whether 7 or 42 came first is chance. Within a tie set the trial with the smallest workspace
// wins, then the earliest, so that a search selects the same trace on a quiet and on a noisy
// machine. One that is slower than the default trace was in the same sitting never wins.
//
// Two tie when their intervals overlap and their medians differ by at most 2 %: a tie never costs
// more, however noisy the samples are.
bool are_tied(std::span<const double> fastest, std::span<const double> other);

// The fields in which two specs differ, for messages.
//
//   spec_differences("c2d:ci=32,co=64,h=56,w=56,k=3+bias", "c2d:ci=64,co=64,h=56,w=56,k=3,s=2")
//     {"ci is 32 there, 64 here", "epilogue is bias there, none here",
//      "s is not set there, 2 here"}
//
// Works on the text, key by key, so that it also handles specs that this version cannot parse.
std::vector<std::string> spec_differences(std::string_view there, std::string_view here);

}  // namespace dovetail
