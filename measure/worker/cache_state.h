// SPDX-License-Identifier: Apache-2.0
#pragma once

// CacheState: brings the caches of the host's cores into a state before each timed run, by the
// steps of measure/worker/cache_steps.h.
//
//   CacheState caches(Caches::network_memory, plan, memory, target, threads);
//   caches.restore();    // then one run

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ir/target.h"
#include "core/runtime/thread_pool.h"
#include "measure/check/arena_plan.h"
#include "measure/worker/cache_steps.h"

namespace dovetail {

class CacheState {
 public:
  CacheState() = default;  // any state
  // `memory` holds the plan's buffers; it and `threads` must outlive this.
  CacheState(Caches caches, const ArenaPlan& plan, std::byte* memory, const Target& target,
             ThreadPool& threads);

  bool has_steps() const { return !steps_.empty(); }
  void restore();

 private:
  uint64_t own_caches_bytes() const;
  uint64_t foreign_bytes(CacheAction action) const;
  void take(const CacheStep& step);
  void stream_through(CpuKernel kernel, CacheAction action);
  void on_lines(CpuKernel kernel, std::byte* bytes, uint64_t count);

  std::vector<CacheStep> steps_;
  ArenaPlan plan_;
  std::byte* memory_ = nullptr;
  Target target_;
  ThreadPool* threads_ = nullptr;
  std::vector<std::byte> foreign_;  // streamed through the caches
};

}  // namespace dovetail
