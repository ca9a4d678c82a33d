// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/cache_state.h"

#include <algorithm>

namespace dovetail {
namespace {

int64_t lines_of(uint64_t bytes) {
  return static_cast<int64_t>((bytes + kBufferAlignment - 1) / kBufferAlignment);
}

}  // namespace

CacheState::CacheState(Caches caches, const ArenaPlan& plan, std::byte* memory,
                       const Target& target, ThreadPool& threads)
    : steps_(steps_to(caches, plan, eviction_here())),
      plan_(plan),
      memory_(memory),
      target_(target),
      threads_(&threads) {
  for (const CacheStep& step : steps_)
    foreign_.resize(std::max(foreign_.size(), static_cast<size_t>(foreign_bytes(step.action))));
}

void CacheState::restore() {
  for (const CacheStep& step : steps_) take(step);
}

// Each thread streams twice its own L2, which the other threads' lines do not evict.
uint64_t CacheState::own_caches_bytes() const {
  return 2 * static_cast<uint64_t>(threads_->threads() * target_.l2_bytes);
}

// Bytes to stream: twice each thread's L2; for evict_all, twice the last cache as well.
uint64_t CacheState::foreign_bytes(CacheAction action) const {
  if (action == CacheAction::push_out) return own_caches_bytes();
  if (action != CacheAction::evict_all) return 0;
  return 2 * static_cast<uint64_t>(target_.l3_bytes) + own_caches_bytes();
}

void CacheState::take(const CacheStep& step) {
  const BufferPlace& place = plan_.places[step.place];
  std::byte* const buffer = memory_ + place.offset;
  switch (step.action) {
    case CacheAction::evict: return on_lines(evict_lines, buffer, place.bytes);
    case CacheAction::read: return on_lines(read_lines, buffer, place.bytes);
    case CacheAction::write: return on_lines(write_lines, buffer, place.bytes);
    case CacheAction::evict_all: return stream_through(write_lines, step.action);
    case CacheAction::push_out: return stream_through(read_lines, step.action);
  }
}

void CacheState::stream_through(CpuKernel kernel, CacheAction action) {
  on_lines(kernel, foreign_.data(), foreign_bytes(action));
}

void CacheState::on_lines(CpuKernel kernel, std::byte* bytes, uint64_t count) {
  void* const buffer = bytes;
  threads_->parallel_for(kernel, &buffer, lines_of(count));
}

}  // namespace dovetail
