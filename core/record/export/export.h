// SPDX-License-Identifier: Apache-2.0
#pragma once

// export_t4, export_csv: logs in the formats of other programs.
//
// T4 is the results format of the auto-tuning community (schema 1.0.0). Keys are those that Kernel
// Tuner writes and its readers expect; the schema's own text has `compilation_time` instead of
// `compilation`, and allows both:
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
// One result per trial. A configuration contains the trace as text, because a flat list of
// parameters cannot represent it. The `time` of a failed trial is a text, as in Kernel Tuner's
// files. Time spent in cost models counts as `search_algorithm`. (A completely measured space has
// its own kind of T4 file: core/record/export/measured_space.h.) Logs timed with cold caches have
// `"caches":"cold"` in the metadata; the caller must separate times of different states.
//
// CSV (RFC 4180) has a line per record, including sentinels and confirmations, times in seconds. A
// line feed inside a text, as in traces, is written as `\n`, a backslash as `\\`, so that
// line-based tools count records. Other control characters are escaped (`\x1b`), and cells that a
// spreadsheet would evaluate start with an apostrophe (core/base/csv.h).

#include <string>
#include <utility>
#include <vector>

#include "core/record/line/json_fields.h"
#include "core/record/line/measure_result.h"
#include "core/record/log/log.h"

namespace dovetail {

std::string export_t4(const std::vector<Log>& logs);
std::string export_csv(const std::vector<Log>& logs);

// T4Outcome is a configuration's measurement, in the fields and words that both kinds of T4 file
// share (core/record/export/measured_space.h has the other):
//
//   "times":{"compilation":9.0,...},"invalidity":"correct","correctness":1,"measurements":[...]
//
// `invalidity` is the schema's word for why there is no time. Kernel Tuner then replaces the time
// by a text: "CompilationFailedConfig" for build failures, "RuntimeFailedConfig" otherwise.
struct T4Outcome {
  Status status = Status::ok;
  double compilation = 0, benchmark = 0, search_algorithm = 0, validation = 0;
  std::vector<double> runtimes = {};
  std::vector<std::pair<std::string, double>> measurements = {};  // "time" is used if ok
  std::string unit = {};                                          // measurement unit
};

void write_outcome(JsonWriter& writer, const T4Outcome& outcome);

}  // namespace dovetail
