// SPDX-License-Identifier: Apache-2.0
#pragma once

// measured_layouts: chooses a network's layouts by the times of its regions and conversions inside
// the network itself: the variant `global`.
//
//   network 1   traces and layouts as `joint` chooses them from a log                16.9 ms
//   network 2   default traces, of which conv7's is faster than the log's            17.2 ms
//   network 3   conv3's second trace: 8 us slower, it saves a conversion of 21 us    16.7 ms
//   network 4   pool makes the layout that conv1 wants                               16.6 ms
//   no other network is expected to take less
//
// Default traces are included because a log may have one as slow that was measured on a busy
// machine.
//
// Each measured network gives the times of its steps. An alternative never measured is estimated at
// slightly less than the same region in another layout, so that it is tried once where it could
// help. Then layouts are chosen again (deploy/layouts/choose_layouts.h), until the choice is one
// that was measured. Sums of step times only guide the search: the fastest few networks and the
// first one, which is `joint`, are timed again, interleaved, and the fastest is taken; among those
// within 1 % of it, the spread of two measurements of one network, the one with the least
// conversion time, unless it is slower than `joint`. To find such a network, a few are tried in
// which a conversion must save twice its own time.
//
// With a memory limit, each choice is the best of those that fit (limited_layouts.h). If none does,
// nothing is measured, and the result says how little was found.
//
// Why regions are not measured alone: a region's time depends on the cache contents that the one
// before leaves, and a conversion's even more.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "deploy/layouts/choose_layouts.h"

namespace dovetail {

struct NetworkTrial {
  double seconds = 0;                // the whole network
  std::vector<double> step_seconds;  // by step of the lowered network
};
struct NetworkMeter {
  // Networks whose constants and temporaries take more bytes are rejected.
  std::optional<int64_t> most_bytes = {};
  std::function<Result<NetworkTrial>(const LoweredNetwork&)> measure;
  // Seconds of each, measured interleaved, so that a change on the machine affects all alike.
  std::function<Result<std::vector<double>>(const std::vector<LoweredNetwork>&)> compare;
};

// Times of steps so far, over all networks of one graph: minima, because noise only adds. Searches
// that fuse other chains start from them.
struct MeasuredTimes {
  std::map<std::string, double> regions, conversions;  // seconds, by key
  std::vector<std::pair<double, double>> rates;        // by conversion: bytes, seconds per byte
};

struct MeasuredLayouts {
  NetworkChoice network;
  std::vector<double> node_seconds;  // by region; 0 for one that runs nothing
  double seconds = 0;                // from the final, interleaved comparison
  double joint_seconds = 0;          // the first network, in that comparison
  std::vector<double> all_seconds;   // every network measured, in order
  bool is_settled = true;            // no other network was expected to take less
  // Bytes of the least network found, if none fits the memory limit. The other fields are empty
  // then.
  std::optional<int64_t> least_bytes = {};
};

// Fails where lowering or a measurement fails.
Result<MeasuredLayouts> measured_layouts(const Partition& parts, const Target& target,
                                         const TracesOfTask& traces_of, const TraceOfTask& trace_of,
                                         const NetworkMeter& meter, MeasuredTimes& times);

}  // namespace dovetail
