// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/machine_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/ir/intrinsic/intrinsic.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 5> kSplitting = {"znver4", "cannonlake", "icelake-client",
                                                        "tigerlake", "rocketlake"};

double mebibytes(int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

int64_t max_accumulators(const Target& target) { return target.vector_registers >= 32 ? 28 : 12; }

TileFigures tile_figures(const Target& target) {
  if (target.vector_registers >= 32) return {};
  return {.hiding_sums = 10,
          .hiding_shared_sums = 4,
          .copy_terms = 12,
          .fits_three_vectors = target.vector_registers <= 16};
}

CacheShares cache_shares(const Target& target) {
  return {.fed_weights = static_cast<double>(target.l1_bytes) / 2,
          .weights_of_tile = 0.6 * static_cast<double>(target.l2_bytes),
          .few_weights = target.l2_bytes / 2,
          .sums_of_round = target.l2_bytes / 2,
          .rows_of_round = target.l2_bytes * 3 / 4,
          .part = target.l2_bytes / 4};
}

bool evicts_output(int64_t all_bytes, const Target& target) {
  return 4 * all_bytes > 3 * target.l3_bytes;
}

DeviceUnit device_unit(const Target& target) {
  DeviceUnit unit;
  const auto set = [](double& figure, int64_t fact) {
    if (fact > 0) figure = static_cast<double>(fact);
  };
  set(unit.units, target.compute_units);
  set(unit.room.registers, target.unit_registers);
  set(unit.room.work_items, target.unit_work_items);
  set(unit.room.local_bytes,
      target.unit_local_bytes > 0 ? target.unit_local_bytes : 2 * target.local_memory_bytes);
  set(unit.lockstep, target.lockstep_work_items);
  if (starts_early(target)) unit.launch_microseconds = 1.1;
  return unit;
}

bool halves_cost_nothing(const Target& target) {
  return std::ranges::find(kSplitting, target.llvm_cpu) != kSplitting.end();
}

bool leaves_caches(int64_t bytes, const Target& target) {
  return bytes > std::max(target.l2_bytes, target.l3_bytes / 2);
}

int64_t most_kept_bytes(const Target& target) {
  return std::max(target.l2_bytes, target.l3_bytes / 8);
}

double round_trip_microseconds(int64_t bytes, const Target& target) {
  return mebibytes(bytes) * (leaves_caches(bytes, target) ? kThroughMemory : kThroughL3);
}

double reread_microseconds(int64_t weight_bytes, int64_t times) {
  return kFromL3 * mebibytes(weight_bytes) * static_cast<double>(times);
}

}  // namespace dovetail
