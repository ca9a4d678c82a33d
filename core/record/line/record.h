// SPDX-License-Identifier: Apache-2.0
#pragma once

// Record: one measured (or failed) candidate, as one line of a log.
//
//   {"trial":17,"campaign":1,"task":"gmm:m=512,n=512,k=512","target":"cpu","trace":"layout ...",
//    "status":"ok","seconds":0.00101,"samples":[0.00102,0.00101,0.00101],
//    "error":{"max_abs":0.0,"max_rel":0.0},"times":{"build":0.009,"run":0.03,"check":0.002,
//    "search":4e-04,"model":0.0},"workspace_bytes":0,"strategy":"random","seed":0,"rejected":3,
//    "elapsed":2.41,"crc":"..."}
//
// A trial is a distinct candidate that reached a builder, numbered per task and campaign from 1;
// exactly one line per trial has `trial` and `trace`. Measuring a trial again (a sentinel along the
// campaign, a confirmation of a finalist at its end) adds a line with a `kind` and `of_trial`, so
// that counting lines with `trial` counts the trials. A failure has a `reason`, and `seconds` is
// null when nothing was timed. A trace is parsed when its value is first asked for
// (core/base/parsed_text.h): a log is read, joined and counted without.

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "core/base/parsed_text.h"
#include "core/base/result.h"
#include "core/ir/schedule/trace.h"
#include "core/record/line/caches.h"
#include "core/record/line/json_fields.h"
#include "core/record/line/log_line.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

enum class RecordKind {
  trial,
  sentinel,      // the default trace, measured again along the campaign: shows drift
  confirmation,  // a finalist, measured again with fresh samples
};

std::string_view print(RecordKind kind);
Result<RecordKind> parse_record_kind(std::string_view text);

using RecordedTrace = ParsedText<Trace, parse_trace>;

struct Record {
  RecordKind kind = RecordKind::trial;
  int64_t trial = 0;            // from 1; for sentinels and confirmations: the trial measured again
  int64_t campaign = 1;         // the number in the header of its campaign
  std::string task;             // the operator's spec
  std::string target;           // resolved
  RecordedTrace trace;          // trials only
  bool is_default = false;      // measures the default trace
  Caches caches = Caches::hot;  // state of the caches when timed (tune --cache)
  // Confirmations only: the task's number of trials at that time. Equal numbers were measured in
  // turn, and the last sitting decides. 0: written by an older version.
  int64_t sitting = 0;
  MeasureResult result;
  std::string strategy;  // with options: "random", "ppo:clip=0.2,steps=8"
  uint64_t seed = 0;
  int64_t rejected = 0;  // illegal or duplicate proposals of this task and campaign so far
  // Since the campaign's start; gaps before a resume do not count.
  double elapsed_seconds = 0;
  UnknownFields unknown;
  UnknownFields unknown_error;  // inside `error`
  UnknownFields unknown_times;  // inside `times`
  friend bool operator==(const Record&, const Record&) = default;
};

// Identifies a trial in a log; its confirmations and sentinels share it.
using TrialKey = std::tuple<int64_t, std::string, int64_t>;  // campaign, task, trial
TrialKey trial_key(const Record& record);

std::string print(const Record& record);  // one line with its checksum, no newline

// Parses the output of open_line (core/record/line/log_line.h), written under `schema`.
Result<Record> parse_record(std::string_view object, int schema = kSchema);

// RecordName: the name of a trial on the command line, in tables and in --json: LOG#CAMPAIGN.TRIAL.
//
//   tune.jsonl#1.17                     trial 17 of campaign 1 of the file tune.jsonl
//   net.jsonl#1.17@gmm:m=512,n=8,k=64   where a campaign tuned several tasks, which one
//
// Trials are numbered per task, so the short form suffices for a campaign of one task; printing
// adds the task only when needed. The last '#' counts, since a file's name may contain others.

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
