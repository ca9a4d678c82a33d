// SPDX-License-Identifier: Apache-2.0
#pragma once

// measured_fusions: chooses which chains of a network to fuse, together with its layouts, by timing
// whole networks: the variant `global`.
//
//   all apart                      6.0 ms      expand, dw and project of chain 2: 0.71 ms
//   chains 1, 2, 3 and 4 as one    5.7 ms      chain 2: 0.52 ms; chain 4: slower than apart
//   chains 1, 2 and 3 as one       5.6 ms      taken
//
// The layouts of each such network are chosen by measurements (deploy/layouts/measured_layouts.h),
// which reuse those of the networks before it. A chain is tried if the log has a trace of it that
// is not much slower than its nodes were apart. At the end the network is also measured with
// weights prefetched (deploy/network/prefetch/prefetch_weights.h).

#include <vector>

#include "deploy/fusion/fusible_chains.h"
#include "deploy/layouts/measured_layouts.h"

namespace dovetail {

struct MeasuredFusions {
  Partition parts;                  // the given partition with `chains` fused
  std::vector<NodeChain> chains;    // in node numbers of the given partition
  NetworkChoice network;            // choice for `parts`
  double seconds = 0;               // from the final comparison, interleaved
  double joint_seconds = 0;         // the variant `joint`, scaled to the same comparison
  std::vector<double> all_seconds;  // every network measured, in order
  bool is_settled = true;           // no other network was expected to take less
};

// Fails where lowering or a measurement fails, and if no network fits the memory limit.
Result<MeasuredFusions> measured_fusions(const Partition& parts, const Target& target,
                                         const TracesOfTask& traces_of, const TraceOfTask& trace_of,
                                         const NetworkMeter& meter);

}  // namespace dovetail
