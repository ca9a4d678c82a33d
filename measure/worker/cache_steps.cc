// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/cache_steps.h"

#include "core/base/check.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace dovetail {
namespace {

bool stays_constant(BufferRole role) {
  return role == BufferRole::constant || role == BufferRole::prepared;
}

volatile std::byte* line_of(void* const* buffers, int64_t line) {
  return static_cast<volatile std::byte*>(buffers[0]) + line * int64_t{kBufferAlignment};
}

}  // namespace

Eviction eviction_here() {
#ifdef __SSE2__
  return Eviction::by_line;
#else
  return Eviction::of_everything;
#endif
}

std::vector<CacheStep> steps_to(Caches caches, const ArenaPlan& plan, Eviction eviction) {
  if (caches == Caches::hot) return {};
  if (caches == Caches::cold) return {{CacheAction::evict_all}};
  std::vector<CacheStep> steps;
  const auto add = [&](CacheAction action, const auto& is_wanted) {
    for (size_t place = 0; place < plan.places.size(); ++place)
      if (is_wanted(plan.places[place].role)) steps.push_back({action, place});
  };
  if (caches == Caches::network_l3) {
    add(CacheAction::read, stays_constant);
    steps.push_back({CacheAction::push_out});
  } else if (eviction == Eviction::by_line) {
    add(CacheAction::evict, stays_constant);
  } else {
    steps.push_back({CacheAction::evict_all});
  }
  add(CacheAction::write,
      [](BufferRole role) { return role == BufferRole::output || role == BufferRole::temporary; });
  add(CacheAction::write, [](BufferRole role) { return role == BufferRole::activation; });
  return steps;
}

void evict_lines([[maybe_unused]] void* const* buffers, [[maybe_unused]] int64_t first,
                 [[maybe_unused]] int64_t last) {
#ifdef __SSE2__
  const auto* bytes = static_cast<const std::byte*>(buffers[0]);
  for (int64_t line = first; line < last; ++line)
    _mm_clflush(bytes + line * int64_t{kBufferAlignment});
  _mm_mfence();
#else
  CHECK(false, "this processor evicts no single lines");
#endif
}

void read_lines(void* const* buffers, int64_t first, int64_t last) {
  for (int64_t line = first; line < last; ++line) (void)*line_of(buffers, line);
}

void write_lines(void* const* buffers, int64_t first, int64_t last) {
  for (int64_t line = first; line < last; ++line) {
    volatile std::byte* const byte = line_of(buffers, line);
    *byte = *byte;
  }
}

}  // namespace dovetail
