// SPDX-License-Identifier: Apache-2.0
#include "measure/check/arena_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/check.h"

namespace dovetail {
namespace {

constexpr uint32_t kGuardWord = 0x7FA5C3E1;  // a NaN with four different bytes
constexpr std::byte kNanByte{0xFF};

uint64_t aligned(uint64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

// The pattern's byte at this address of a guard zone: zones need not start at a word.
std::byte guard_byte(uint64_t position) {
  return static_cast<std::byte>(kGuardWord >> (8 * (position % sizeof(kGuardWord))));
}

struct Zone {
  uint64_t first = 0, last = 0;
};

// The zone before each buffer, then the one after the last.
std::vector<Zone> guard_zones(const ArenaPlan& plan) {
  std::vector<Zone> zones;
  uint64_t start = 0;
  for (const BufferPlace& place : plan.places) {
    zones.push_back({start, place.offset});
    start = place.offset + place.bytes;
  }
  zones.push_back({start, plan.bytes});
  return zones;
}

// Blames a breach in the zone between two buffers on the nearer one, or on the only neighbour.
std::string describe_breach(const Program& program, size_t zone, const Zone& bounds,
                            const Zone& changed, uint64_t count) {
  const uint64_t after_previous = changed.first - bounds.first;
  const uint64_t before_next = bounds.last - changed.last;
  const bool has_previous = zone > 0;
  const bool has_next = zone < program.buffers.size();
  const bool next_is_culprit = !has_previous || (has_next && before_next < after_previous);
  const std::string& name = program.buffers[next_is_culprit ? zone : zone - 1].name;
  const uint64_t distance = next_is_culprit ? bounds.last - changed.first : after_previous;
  return fmt::format("{} bytes of the guard zone {} buffer {} changed, the {} {} bytes {} it",
                     count, next_is_culprit ? "before" : "after", name,
                     next_is_culprit ? "farthest" : "nearest", distance,
                     next_is_culprit ? "before" : "after");
}

}  // namespace

ArenaPlan plan_arena(const Program& program) {
  ArenaPlan plan;
  for (const Buffer& buffer : program.buffers) {
    plan.bytes = aligned(plan.bytes + kGuardBytes);
    const auto bytes = static_cast<uint64_t>(buffer_bytes(buffer));
    plan.places.push_back({plan.bytes, bytes, buffer.role});
    plan.bytes += bytes;
  }
  plan.bytes = aligned(plan.bytes + kGuardBytes);
  return plan;
}

void poison(const Program& program, const ArenaPlan& plan, std::span<std::byte> arena) {
  CHECK(arena.size() >= plan.bytes, "an arena smaller than its plan");
  for (const Zone& zone : guard_zones(plan))
    for (uint64_t i = zone.first; i < zone.last; ++i) arena[i] = guard_byte(i);
  for (size_t b = 0; b < plan.places.size(); ++b) {
    if (is_input(program.buffers[b].role)) continue;
    const auto place = arena.subspan(plan.places[b].offset, plan.places[b].bytes);
    std::ranges::fill(place, kNanByte);
  }
}

std::optional<std::string> find_breach(const Program& program, const ArenaPlan& plan,
                                       std::span<const std::byte> arena) {
  const std::vector<Zone> zones = guard_zones(plan);
  for (size_t z = 0; z < zones.size(); ++z) {
    Zone changed;
    uint64_t count = 0;
    for (uint64_t i = zones[z].first; i < zones[z].last; ++i) {
      if (arena[i] == guard_byte(i)) continue;
      if (count++ == 0) changed.first = i;
      changed.last = i + 1;
    }
    if (count > 0) return describe_breach(program, z, zones[z], changed, count);
  }
  return std::nullopt;
}

}  // namespace dovetail
