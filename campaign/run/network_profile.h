// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkProfile: what each kernel of a network takes, in the order in which they run, as a file
// that a trace viewer opens (chrome://tracing, Perfetto).
//
//   const NetworkProfile profile = TRY(profile_network(network, lowered));
//   profile.kernels[2]     layer1.0.conv1, kernel c2d: 412 us, 231 MFLOP, 1.0 MB
//   TRY(write_file(path, trace_viewer_text(profile)));
//
// Kernels run one after the other as they do in the whole network, with a clock between them, and
// each has the median of some rounds: so caches are as the network leaves them, and the sum is the
// whole network's time and what the clock costs.

#include <string>
#include <vector>

#include "core/base/result.h"
#include "deploy/network/loaded_network.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

struct ProfiledKernel {
  size_t step = 0;   // of the lowered network
  std::string call;  // of the graph's node, or convert.TENSOR
  std::string kernel;
  std::string task;  // as a log knows it
  bool is_conversion = false;
  double seconds = 0;
  double fmas = 0;    // multiply-adds that really run
  int64_t bytes = 0;  // of distinct elements that it touches
};

struct NetworkProfile {
  std::string network;
  std::vector<ProfiledKernel> kernels;
};

Result<NetworkProfile> profile_network(LoadedNetwork& network, const LoweredNetwork& lowered);

// JSON in the format of trace events; times are microseconds.
std::string trace_viewer_text(const NetworkProfile& profile);

}  // namespace dovetail
