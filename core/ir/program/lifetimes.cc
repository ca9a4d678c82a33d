// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/lifetimes.h"

#include <algorithm>

#include "core/ir/program/walk.h"

namespace dovetail {

std::vector<std::optional<Lifetime>> lifetimes_of(const Program& program) {
  std::vector<std::optional<Lifetime>> lifetimes(program.buffers.size());
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const Uses uses = uses_of(program.kernels[k].body);
    for (size_t b = 0; b < program.buffers.size(); ++b) {
      if (!uses.contains(program.buffers[b].name)) continue;
      if (!lifetimes[b]) lifetimes[b] = Lifetime{k, k};
      lifetimes[b]->last = k;
    }
  }
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const BufferRole role = program.buffers[b].role;
    if (!lifetimes[b]) continue;
    if (is_input(role)) lifetimes[b]->first = 0;
    if (role == BufferRole::output || role == BufferRole::prepared)
      lifetimes[b]->last = program.kernels.size() - 1;
  }
  return lifetimes;
}

int64_t live_workspace_bytes(const Program& program) {
  const std::vector<std::optional<Lifetime>> lifetimes = lifetimes_of(program);
  int64_t most = 0;
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    int64_t live = 0;
    for (size_t b = 0; b < program.buffers.size(); ++b) {
      const Buffer& buffer = program.buffers[b];
      if (buffer.role != BufferRole::temporary || !lifetimes[b]) continue;
      if (lifetimes[b]->first <= k && k <= lifetimes[b]->last) live += buffer_bytes(buffer);
    }
    most = std::max(most, live);
  }
  return most;
}

}  // namespace dovetail
