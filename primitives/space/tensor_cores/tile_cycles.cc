// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/tensor_cores/tile_cycles.h"

#include <algorithm>

namespace dovetail::tensor_cores {
namespace {

constexpr double kBytesACycle = 36;   // that a unit gets from the last cache, and puts there
constexpr double kStoredACycle = 64;  // bytes through registers to local memory
constexpr double kLatency = 1250;     // cycles until loaded memory answers
constexpr double kBarrier = 115;      // from the last product of a round to the first of the next
constexpr double kReadACycle = 128;   // bytes from local memory
constexpr double kSumBytes = 4;
constexpr double kKernelStart = 4000;  // if it waits for the kernel before

// Groups that a unit holds at once, by registers and local memory; at least one.
double resident_groups(const GroupWork& work, const Target& target) {
  int64_t groups = 8;  // more hide nothing
  if (target.unit_registers > 0)
    groups = std::min(groups, target.unit_registers / (work.registers * work.work_items));
  if (target.unit_local_bytes > 0)
    groups = std::min(groups, target.unit_local_bytes / (work.local_bytes + 1024));
  return static_cast<double>(std::max<int64_t>(groups, 1));
}

}  // namespace

double tile_cycles(const GroupWork& work, const Target& target) {
  const int64_t units = std::max<int64_t>(target.compute_units, 1);
  const auto waves = static_cast<double>((work.groups + units - 1) / units);
  const double resident = std::min(resident_groups(work, target), waves);
  const auto rows = static_cast<double>(work.rows), columns = static_cast<double>(work.columns);
  const auto terms = static_cast<double>(work.terms);
  const double products = std::max(rows * columns * terms / static_cast<double>(work.terms_a_cycle),
                                   static_cast<double>(work.read_bytes) / kReadACycle);
  const auto bytes = static_cast<double>(work.round_bytes);
  // Products of the round before run on beside the barrier.
  const double barrier = work.behind > 0 ? std::max(kBarrier - products, 0.0) : kBarrier;
  const double alone = products + barrier + (work.ahead < 2 ? bytes / kStoredACycle : 0);
  const double exposed = work.ahead == 0  // loads, and then computes
                             ? kLatency + alone
                             : std::max(alone, kLatency / static_cast<double>(work.ahead));
  const double round =
      std::max({products, bytes / kBytesACycle, exposed / resident}) + barrier / 2 / resident;
  const double ends = (2 * kLatency + rows * columns * kSumBytes / kBytesACycle) / resident;
  return waves * (static_cast<double>(work.rounds) * round + ends);
}

double cycles_of_second_kernel(double sums, const Target& target) {
  const auto units = static_cast<double>(std::max<int64_t>(target.compute_units, 1));
  return kKernelStart + 2 * sums * kSumBytes / (kBytesACycle * units);
}

}  // namespace dovetail::tensor_cores
