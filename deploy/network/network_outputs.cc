// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/network_outputs.h"

namespace dovetail {

NetworkOutputs::NetworkOutputs(const Partition& parts) {
  std::map<TensorId, TensorId> viewed;  // output of a view -> its input
  std::set<TensorId> written;
  for (const NodeRegion& region : parts.regions) {
    for (const auto& [name, id] : region.made)
      if (is_view(region))
        viewed[id] = region.given[0].second;
      else
        written.insert(id);
  }
  for (const TensorId output : parts.graph.outputs) {
    TensorId root = output;
    for (auto found = viewed.find(root); found != viewed.end(); found = viewed.find(root))
      root = found->second;
    if (written.contains(root)) output_of_.emplace(root, output);
  }
}

std::optional<TensorId> NetworkOutputs::take(TensorId made, bool is_plain) {
  const auto found = output_of_.find(made);
  if (found == output_of_.end() || !is_plain) return std::nullopt;
  held_.insert(found->second);
  return found->second;
}

bool NetworkOutputs::is_held(TensorId output) {
  const auto found = held_.find(output);
  if (found == held_.end()) return false;
  held_.erase(found);
  return true;
}

}  // namespace dovetail
