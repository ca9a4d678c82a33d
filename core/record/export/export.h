// SPDX-License-Identifier: Apache-2.0
#pragma once

// export_t4, export_csv: logs as other programs read them.
//
// T4 is the results format of the auto-tuning community (schema 1.0.0). Keys are those that Kernel
// Tuner's writer emits, which its readers expect; the schema's own text says `compilation_time`
// where they say `compilation`, and allows both:
//
//   {"schema_version":"1.0.0","metadata":{"timeunit":"milliseconds",...},"results":[
//   {"timestamp":"2026-11-20T08:15:02.410000+00:00",
//    "configuration":{"task":"gmm:m=512,n=512,k=512","target":"cpu","trace":"layout B: ..."},
//    "times":{"compilation":9.0,"benchmark":30.0,"framework":0.0,"search_algorithm":0.4,
//             "validation":2.0,"runtimes":[1.02,1.01,1.01]},
//    "invalidity":"correct","correctness":1,
//    "measurements":[{"name":"time","value":1.01,"unit":"ms"}],"objectives":["time"]}
//   ]}
//
// One result a trial. A configuration is the trace as text: a flat list of parameters cannot say
// what a trace says. `time` of a trial that failed is a text, as Kernel Tuner writes it. Cost
// models belong to the search here: their time is in `search_algorithm`. (A space that was measured
// completely has a T4 file of its own kind: core/record/export/measured_space.h.) The metadata say
// `"caches":"cold"` of logs that were timed so; times of several states are the caller's to part.
//
// CSV (RFC 4180) has a line for every record, sentinels and confirmations too, times in seconds. A
// line feed inside a text, as traces have them, is written as `\n`, a backslash as `\\`, so that
// tools that count or cut lines count records. Other characters that steer a terminal are `\x1b`,
// and what a spreadsheet would compute has an apostrophe in front (core/base/csv.h).

#include <string>
#include <utility>
#include <vector>

#include "core/record/line/json_fields.h"
#include "core/record/line/measure_result.h"
#include "core/record/log/log.h"

namespace dovetail {

std::string export_t4(const std::vector<Log>& logs);
std::string export_csv(const std::vector<Log>& logs);

// T4Outcome is a configuration's measurement in the fields and words that both of our T4 files
// share (core/record/export/measured_space.h has the other):
//
//   "times":{"compilation":9.0,...},"invalidity":"correct","correctness":1,"measurements":[...]
//
// `invalidity` is the schema's word for why there is no time. In the place of the time Kernel Tuner
// then writes a text: "CompilationFailedConfig" of what did not build, "RuntimeFailedConfig" else.
struct T4Outcome {
  Status status = Status::ok;
  double compilation = 0, benchmark = 0, search_algorithm = 0, validation = 0;
  std::vector<double> runtimes = {};
  std::vector<std::pair<std::string, double>> measurements = {};  // "time" counts if it is ok
  std::string unit = {};                                          // of the measurements
};

void write_outcome(JsonWriter& writer, const T4Outcome& outcome);

}  // namespace dovetail
