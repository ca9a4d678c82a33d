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
// measured again `first_time`, what they took the first time.
//
// The file is complete in itself, so that what was measured can be searched whatever becomes of the
// rule that made the space (StoredSpace): each result has its `trace` too, as the numbers of lines,
// because 20,000 traces are 15 MB of text and some thousand different lines.
//
//    "metadata":{…,"space_parameters":[{"name":"register_tile.n",…,"default":16}, …],
//                  "lines":["layout Y: reorder(b, m, n)","loops: split(loop=n, factor=16)",…],
//                  "unmeasured":[{"row":17,"values":"0 16 …","trace":"0 5"}, …]}
//
// Files of before lack all three: their spaces are made again by the rule, as far as it still does.

#include <cstdint>
#include <optional>
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
  std::string trace = {};  // the lines of its text, as numbers of the StoredSpace's: "0 5"
  friend bool operator==(const PointResult&, const PointResult&) = default;
};

// A value that an earlier parameter must have.
struct StoredCondition {
  int64_t parameter = 0, value = 0;
  friend bool operator==(const StoredCondition&, const StoredCondition&) = default;
};

// A parameter of the space as it was when it was measured (primitives/space/space.h says what the
// fields mean). It has no domain: the points are all there.
struct StoredParameter {
  std::string name, kind, tensor, axis, algorithm, meaning;
  std::optional<int64_t> input;
  std::vector<int64_t> depends_on;
  std::vector<std::string> labels;
  std::vector<StoredCondition> only_with;
  int64_t off_percent = 0;
  int64_t by_default = 0;        // the value of the default point
  std::optional<int64_t> value;  // of every measured point; none: it is in their configurations
  friend bool operator==(const StoredParameter&, const StoredParameter&) = default;
};

// A point that has no result: its trace is illegal, or another point's, too. Its numbers are text,
// which is read in a tenth of the time that lists take.
struct UnmeasuredPoint {
  int64_t row = 0;            // where it stands among all points, measured ones included
  std::string values, trace;  // of all parameters; as of a measured point
  friend bool operator==(const UnmeasuredPoint&, const UnmeasuredPoint&) = default;
};

// All of a space that a search asks for.
struct StoredSpace {
  std::vector<StoredParameter> parameters;  // all, those of one value included; empty: not stored
  std::vector<std::string> lines;           // of all traces, each once
  std::vector<UnmeasuredPoint> unmeasured;  // by their rows
  friend bool operator==(const StoredSpace&, const StoredSpace&) = default;
};

struct MeasuredSpace {
  std::string task;    // the operator's spec
  std::string target;  // resolved
  std::string space;   // the rule that made it: reduced
  std::string tool;    // name and version of who measured it
  // The target's facts, as print(Target) has them, so that the space can be made again elsewhere;
  // empty: they are not known.
  std::string device = {};
  int64_t most_points = 0;              // that the rule was given; 0: its default
  std::vector<std::string> parameters;  // those of the points' values
  std::vector<PointResult> points = {};
  StoredSpace stored = {};

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
