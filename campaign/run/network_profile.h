// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkProfile: the time of each kernel of a network, in launch order, as a file for trace
// viewers (chrome://tracing, Perfetto).
//
//   const NetworkProfile profile = TRY(profile_network(network, lowered));
//   profile.kernels[2]     layer1.0.conv1, kernel c2d: 412 us, 231 MFLOP, 1.0 MB
//   TRY(write_file(path, trace_viewer_text(profile)));
//
// Kernels run one after another as in the whole network, with a clock read in between, so caches
// are in the state that the network leaves. Each time is a median over rounds; their sum is the
// whole network's time plus the cost of the clock.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "deploy/network/loaded_network.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

struct ProfiledKernel {
  size_t step = 0;   // index into the lowered network's steps
  std::string call;  // name of the graph's node, or convert.TENSOR
  std::string kernel;
  std::string task;  // its text in a log
  bool is_conversion = false;
  double seconds = 0;
  double fmas = 0;    // multiply-adds that really run
  int64_t bytes = 0;  // distinct elements that it touches
};

struct NetworkProfile {
  std::string network;
  std::vector<ProfiledKernel> kernels;
};

Result<NetworkProfile> profile_network(LoadedNetwork& network, const LoweredNetwork& lowered);

// JSON in the format of trace events; times are microseconds.
std::string trace_viewer_text(const NetworkProfile& profile);

}  // namespace dovetail
