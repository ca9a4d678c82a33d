// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/network_profile.h"

#include <nlohmann/json.hpp>

#include "campaign/indented_json.h"
#include "core/base/statistics.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kRounds = 21;

// The kernels of every run, in launch order, without those that run once.
NetworkProfile described_kernels(const LoweredNetwork& lowered) {
  NetworkProfile profile{.network = lowered.program.name, .kernels = {}};
  for (size_t c = 0; c < lowered.steps.size(); ++c) {
    const NetworkCall& call = lowered.program.calls[c];
    const Program& program = lowered.program.programs[call.program];
    const std::string task = print(lowered.steps[c].task);
    for (const Kernel& kernel : program.kernels) {
      if (kernel.once) continue;
      const Program alone{.buffers = program.buffers, .kernels = {kernel}};
      profile.kernels.push_back({.step = c,
                                 .call = call.name,
                                 .kernel = kernel.name,
                                 .task = task,
                                 .is_conversion = !lowered.steps[c].node,
                                 .fmas = executed_fmas(alone),
                                 .bytes = touched_bytes(alone)});
    }
  }
  return profile;
}

}  // namespace

Result<NetworkProfile> profile_network(LoadedNetwork& network, const LoweredNetwork& lowered) {
  NetworkProfile profile = described_kernels(lowered);
  std::vector<std::vector<double>> seconds(profile.kernels.size());
  for (int round = 0; round < kRounds; ++round)
    for (size_t k = 0; k < profile.kernels.size(); ++k)
      seconds[k].push_back(TRY(network.run_kernel(k)));
  for (size_t k = 0; k < profile.kernels.size(); ++k)
    profile.kernels[k].seconds = median(seconds[k]);
  return profile;
}

std::string trace_viewer_text(const NetworkProfile& profile) {
  Json events = Json::array();
  events.push_back(
      {{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"args", {{"name", profile.network}}}});
  double start_seconds = 0;
  for (const ProfiledKernel& kernel : profile.kernels) {
    const bool ran = kernel.seconds > 0;
    events.push_back(
        {{"name", kernel.call},
         {"cat", kernel.is_conversion ? "conversion" : "region"},
         {"ph", "X"},
         {"ts", start_seconds * 1e6},
         {"dur", kernel.seconds * 1e6},
         {"pid", 1},
         {"tid", 1},
         {"args",
          {{"kernel", kernel.kernel},
           {"task", kernel.task},
           {"flops", 2 * kernel.fmas},
           {"bytes", kernel.bytes},
           {"gflops", ran ? Json(2e-9 * kernel.fmas / kernel.seconds) : Json()},
           {"gb_per_second",
            ran ? Json(1e-9 * static_cast<double>(kernel.bytes) / kernel.seconds) : Json()}}}});
    start_seconds += kernel.seconds;
  }
  return indented_json(Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}});
}

}  // namespace dovetail
