// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/network_profile.h"

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "campaign/indented_json.h"
#include "core/base/statistics.h"

namespace dovetail {
namespace {

constexpr int kRounds = 21;

// The kernels of every run, in launch order, without those that run once.
NetworkProfile described_kernels(const LoweredNetwork& lowered) {
  NetworkProfile profile{.network = lowered.program.name, .kernels = {}};
  for (size_t c = 0; c < lowered.steps.size(); ++c) {
    const NetworkCall& call = lowered.program.calls[c];
    const Program& program = lowered.program.programs[call.program];
    const std::string task = print(lowered.steps[c].task);
    for (const Kernel& kernel : program.kernels) {
      if (kernel.prepares) continue;
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

namespace {

auto event_of(const ProfiledKernel& kernel, double start_seconds) {
  const auto per_second = [&](double amount) {
    return kernel.seconds > 0 ? std::optional(1e-9 * amount / kernel.seconds) : std::nullopt;
  };
  return std::tuple(
      Field{"name", kernel.call}, Field{"cat", kernel.is_conversion ? "conversion" : "region"},
      Field{"ph", "X"}, Field{"ts", start_seconds * 1e6}, Field{"dur", kernel.seconds * 1e6},
      Field{"pid", 1}, Field{"tid", 1},
      Field{"args",
            std::tuple(Field{"kernel", kernel.kernel}, Field{"task", kernel.task},
                       Field{"flops", 2 * kernel.fmas}, Field{"bytes", kernel.bytes},
                       Field{"gflops", per_second(2 * kernel.fmas)},
                       Field{"gb_per_second", per_second(static_cast<double>(kernel.bytes))})});
}

}  // namespace

std::string trace_viewer_text(const NetworkProfile& profile) {
  std::vector<std::string> events = {
      json_of(std::tuple(Field{"name", "process_name"}, Field{"ph", "M"}, Field{"pid", 1},
                         Field{"args", std::tuple(Field{"name", profile.network})}))};
  double start_seconds = 0;
  for (const ProfiledKernel& kernel : profile.kernels) {
    events.push_back(json_of(event_of(kernel, start_seconds), Reals::or_null));
    start_seconds += kernel.seconds;
  }
  JsonWriter writer;
  writer.text("displayTimeUnit", "ms");
  writer.raws("traceEvents", events);
  return indented(std::move(writer).finish());
}

}  // namespace dovetail
