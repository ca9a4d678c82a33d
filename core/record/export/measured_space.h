// SPDX-License-Identifier: Apache-2.0
#pragma once

// MeasuredSpace: a space whose every point was measured, to search without a device.
//
//   MeasuredSpace space = TRY(read_measured_space("results/spaces/first/gmm.json.gz"));
//   space.find(hash(trace))->seconds          what that trace took; null: it is not in the space
//   space.points[7].values                    {16, 7, 4, …}, of space.parameters
//
// On disk it is one T4 file (Kernel Tuner's results format, schema 1.0.0), compressed with gzip:
//
//   {"schema_version":"1.0.0",
//    "metadata":{"timeunit":"seconds","task":"gmm:m=512,n=512,k=512","target":"cpu:…",
//                "space":"reduced","tool":"dovetail 0.1.0"},
//    "results":[
//     {"configuration":{"register_tile.n":16,…},"trace_hash":"00c0ffee00c0ffee","status":"ok",
//      "times":{"compilation":0.008,"benchmark":0.02,"framework":0.0,"search_algorithm":0.0,
//               "validation":0.001,"runtimes":[0.02]},
//      "invalidity":"correct","correctness":1,
//      "measurements":[{"name":"time","value":0.00101,"unit":"s"}]},
//     …]}
//
// so that Kernel Tuner's tools and autotuning_methodology (which sums up `runtimes`) read it. What
// T4 has no word for are fields that they skip: `trace_hash`, our `status`, and of points that were
// measured again `first_time`, what they took the first time. Traces are not in it: 20,000 of them
// are 15 MB, and the task's space makes each from its values; the hash says whether it still does.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

struct PointResult {
  std::vector<int64_t> values = {};  // of the space's parameters
  uint64_t trace_hash = 0;           // of its trace, as hash(Trace) gives it
  Status status = Status::ok;
  double seconds = 0;        // of the kernel; 0 unless ok
  double first_seconds = 0;  // before it was measured again as one of the best; 0: it was not
  double build_seconds = 0;
  double check_seconds = 0;
  double run_seconds = 0;  // on the device: warm-up and every repeat
  friend bool operator==(const PointResult&, const PointResult&) = default;
};

struct MeasuredSpace {
  std::string task;    // the operator's spec
  std::string target;  // resolved
  std::string space;   // the rule that made it: reduced
  std::string tool;    // name and version of who measured it
  // The target's facts, as print(Target) has them, so that the space can be made again elsewhere;
  // empty: they are not known.
  std::string device = {};
  int64_t most_points = 0;  // that the rule was given; 0: its default
  std::vector<std::string> parameters;
  std::vector<PointResult> points = {};

  // Gives null when no point that read_measured_space or index() has seen has that trace.
  const PointResult* find(uint64_t trace_hash) const;
  // After points were added or changed. An error: two points with one trace.
  Result<void> index();

  std::unordered_map<uint64_t, size_t> by_trace = {};
};

// A point from what its measurement said; times to 5 digits, costs to 3: their noise is larger, and
// files are half as large.
PointResult measured_point(std::vector<int64_t> values, uint64_t trace_hash,
                           const MeasureResult& result);

std::string print_t4(const MeasuredSpace& space);       // without compression
Result<MeasuredSpace> parse_t4(std::string_view text);  // what print_t4 gives
Result<void> write_measured_space(const std::string& path, const MeasuredSpace& space);
Result<MeasuredSpace> read_measured_space(const std::string& path);  // compressed or not

}  // namespace dovetail
