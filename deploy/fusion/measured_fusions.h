// SPDX-License-Identifier: Apache-2.0
#pragma once

// measured_fusions: which chains of a network run as one, decided together with its layouts by what
// whole networks take: the variant `global`.
//
//   all apart                      6.0 ms      expand, dw and project of chain 2: 0.71 ms
//   chains 1, 2, 3 and 4 as one    5.7 ms      chain 2: 0.52 ms; chain 4: slower than apart
//   chains 1, 2 and 3 as one       5.6 ms      taken
//
// Each is a network whose layouts are chosen by measurements (deploy/layouts/measured_layouts.h),
// and knows what the ones before it measured. A chain is tried where the log has a trace of it that
// is not much slower than its nodes were, apart. At the end the network is measured with weights
// asked for ahead, too (deploy/network/ahead/weights_ahead.h).

#include <vector>

#include "deploy/fusion/fusible_chains.h"
#include "deploy/layouts/measured_layouts.h"

namespace dovetail {

struct MeasuredFusions {
  Partition parts;                  // with what is fused
  std::vector<NodeChain> chains;    // of the partition that was given
  NetworkChoice network;            // of `parts`
  double seconds = 0;               // of the last networks, measured in turn
  double joint_seconds = 0;         // of variant `joint`, among them
  std::vector<double> all_seconds;  // of each network that was measured, in order
  bool is_settled = true;           // no other network was expected to take less
};

// The error is one of lowering, or of a measurement.
Result<MeasuredFusions> measured_fusions(const Partition& parts, const Target& target,
                                         const TracesOfTask& traces_of, const TraceOfTask& trace_of,
                                         const NetworkMeter& meter);

}  // namespace dovetail
