// SPDX-License-Identifier: Apache-2.0
#include "deploy/fusion/recorded_calls.h"

#include <algorithm>
#include <string>

#include "core/ir/layout/normal_form.h"

namespace dovetail {
namespace {

// The tensor name of each buffer that passes between calls; empty for all other buffers.
std::vector<std::string> names_between_calls(const Partition& parts,
                                             const LoweredNetwork& lowered) {
  const std::vector<NetworkBuffer>& buffers = lowered.program.buffers;
  std::vector<std::string> names(buffers.size());
  for (size_t b = 0; b < names.size(); ++b)
    if (buffers[b].buffer.role == BufferRole::activation) names[b] = buffers[b].tensors[0];
  for (const NetworkStep& step : lowered.steps)
    for (const auto& [id, buffer] : step.made)
      names[buffer] = parts.graph.tensors[static_cast<size_t>(id)].name;
  return names;
}

}  // namespace

std::vector<CallOfNetwork> recorded_calls(const Partition& parts, const LoweredNetwork& lowered) {
  const std::vector<std::string> names = names_between_calls(parts, lowered);
  std::vector<CallOfNetwork> calls;
  for (size_t c = 0; c < lowered.steps.size(); ++c) {
    const NetworkStep& step = lowered.steps[c];
    const NetworkCall& run = lowered.program.calls[c];
    CallOfNetwork call{.call = run.name, .is_conversion = !step.node};
    if (const auto joined = parts.joined.find(run.name); joined != parts.joined.end())
      call.with.assign(joined->second.begin(), joined->second.end());
    for (const size_t b : run.buffers) {
      if (names[b].empty()) continue;
      const Layout& layout = lowered.program.buffers[b].buffer.layout;
      const bool is_made =
          std::ranges::any_of(step.made, [&](const auto& entry) { return entry.second == b; });
      (is_made ? call.made : call.given)
          .push_back({.tensor = names[b], .form = print(normal_form(layout), layout.logical)});
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace dovetail
