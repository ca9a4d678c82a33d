// SPDX-License-Identifier: Apache-2.0
#include "core/ir/program/uses.h"

#include <algorithm>

#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

void collect(const Block& block, Uses& uses) {
  const auto read = [&](const Load& load) { uses[load.buffer].read = true; };
  for (const Statement& statement : block) {
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      collect(loop->body, uses);
      if (loop->at) for_each_load(*loop->at, read);
    } else if (const auto* store = std::get_if<Store>(&statement.node)) {
      Use& use = uses[store->target];
      use.written = true;
      use.read = use.read || accumulates(*store);
      for_each_load(store->value, read);
    }
  }
}

}  // namespace

Uses uses_of(const Block& block) {
  Uses uses;
  collect(block, uses);
  return uses;
}

std::vector<std::optional<Lifetime>> lifetimes_of(const Program& program) {
  std::vector<std::optional<Lifetime>> lifetimes(program.buffers.size());
  for (size_t k = 0; k < program.kernels.size(); ++k) {
    const Uses uses = uses_of(program.kernels[k]);
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
    if (role == BufferRole::output || role == BufferRole::derived)
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
