// SPDX-License-Identifier: Apache-2.0
#pragma once

// measured_layouts: layouts of a network chosen by what its regions and conversions take in the
// network itself: the variant `global`.
//
//   network 1   traces and layouts as `joint` chooses them from a log                16.9 ms
//   network 2   default traces, of which conv7's is faster than the log's            17.2 ms
//   network 3   conv3's second trace: 8 us slower, it saves a conversion of 21 us    16.7 ms
//   network 4   pool makes the layout that conv1 wants                               16.6 ms
//   no other network is expected to take less
//
// Default traces are among them because a log may say of one that it is slow which was measured
// while the machine was busy.
//
// Each network that is measured says what its steps take. What was never measured is expected to
// take a little less than the same region took in another layout, so that it is tried where it
// could help, once. Then the choice is made again (deploy/layouts/choose_layouts.h), until it is
// one that was measured. Sums of parts only guide: the fastest few as a whole and the first one,
// which is `joint`, are measured again, in turn, and the fastest of them is taken; of those within
// a hundredth of it, which two measurements of one network differ by, the one that converts least,
// unless that is behind `joint`. For its sake a few networks are tried in which a conversion has to
// save twice what it takes.
//
// Where memory is short, each choice is the best of those that fit (limited_layouts.h).
//
// Why no measurements of regions alone: a region's time depends on what the one before left in the
// caches, and a conversion's even more.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "deploy/layouts/choose_layouts.h"

namespace dovetail {

struct NetworkTrial {
  double seconds = 0;                // of the whole
  std::vector<double> step_seconds;  // of each step of the lowered network
};
struct NetworkMeter {
  // Networks whose constants and temporaries take more are out of the question.
  std::optional<int64_t> most_bytes = {};
  std::function<Result<NetworkTrial>(const LoweredNetwork&)> measure;
  // Seconds of each, measured in turn, so that what changes on the machine changes for all.
  std::function<Result<std::vector<double>>(const std::vector<LoweredNetwork>&)> compare;
};

// What steps took so far, in all networks of one graph: the least of what was seen, for noise only
// adds. Networks that fuse other regions go on from it.
struct MeasuredTimes {
  std::map<std::string, double> regions, conversions;  // seconds, by key
  std::vector<std::pair<double, double>> rates;        // of conversions: bytes, seconds a byte
};

struct MeasuredLayouts {
  NetworkChoice network;
  std::vector<double> node_seconds;  // of each region in it; 0 of one that runs nothing
  double seconds = 0;                // among the last ones, measured in turn
  double joint_seconds = 0;          // of the first network, among them
  std::vector<double> all_seconds;   // of each network that was measured, in order
  bool is_settled = true;            // no other network was expected to take less
};

// The error is one of lowering, or of a measurement.
Result<MeasuredLayouts> measured_layouts(const Partition& parts, const Target& target,
                                         const TracesOfTask& traces_of, const TraceOfTask& trace_of,
                                         const NetworkMeter& meter, MeasuredTimes& times);

}  // namespace dovetail
