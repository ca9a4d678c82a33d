// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/graph_walk.h"

#include <fmt/format.h>

namespace dovetail {

std::vector<std::vector<TensorId>> last_reads(
    const Partition& parts, std::initializer_list<const std::vector<TensorId>*> kept) {
  std::vector<std::vector<TensorId>> last(parts.regions.size());
  std::vector<bool> is_kept(parts.graph.tensors.size(), false);
  for (const std::vector<TensorId>* tensors : kept)
    for (const TensorId id : *tensors) is_kept[static_cast<size_t>(id)] = true;
  for (size_t node = parts.regions.size(); node-- > 0;) {
    for (const auto& [name, id] : parts.regions[node].given) {
      if (is_kept[static_cast<size_t>(id)]) continue;
      is_kept[static_cast<size_t>(id)] = true;
      last[node].push_back(id);
    }
  }
  return last;
}

void StepNotes::done(size_t steps, size_t count) {
  constexpr double kSecondsBetween = 5;
  const double elapsed = watch_.seconds();
  if (elapsed < said_seconds_ + kSecondsBetween) return;
  said_seconds_ = elapsed;
  const double rest = static_cast<double>(count - steps) / static_cast<double>(steps);
  listener_.note(fmt::format("{}: {} of {} {}, some {:.0f} s left", of_, steps, count, steps_,
                             elapsed * rest));
}

}  // namespace dovetail
