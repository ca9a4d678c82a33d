// SPDX-License-Identifier: Apache-2.0
#pragma once

// Machine: peak compute and bandwidth of a machine, to turn seconds into percentages.

#include <optional>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "core/record/line/caches.h"

namespace dovetail {

// Roofline ceilings of a target; unset where unknown (GPUs, at present).
struct Machine {
  struct Level {
    int64_t capacity_bytes = 0;
    double bytes_per_second = 0;
  };
  // Bandwidth of a loop that only reads `read_bytes` and writes `written_bytes`.
  struct Stream {
    int64_t read_bytes = 0, written_bytes = 0;
    double bytes_per_second = 0;
  };
  std::optional<double> peak_gflops;  // FMA peak of the threads that the target uses
  std::vector<Level> levels;          // nearest first; the last one holds everything
  std::vector<Stream> streams = {};   // for regions without a product
};
// The ceilings for operands in no cache: of the levels, keeps only memory.
Machine without_caches(Machine machine);

// Measures on the cores that candidates ran on; OpenCL devices get no levels. `peak_gflops` is the
// peak seen by the runner during the campaign, 0 if it measured none. Levels are measured up to the
// one that holds the operands of each of `regions`; for cold ones that is memory. Network cache
// states use the levels of hot operands: some operands are cached, so these stay bounds.
Machine measure_machine(const Target& target, double peak_gflops,
                        const std::vector<Region>& regions, Caches caches = Caches::hot);

// Nominal GFLOP/s; none without a time.
std::optional<double> nominal_gflops(const Region& region, const std::optional<double>& seconds);
// The same as a percentage of the FMA peak; none without a peak.
std::optional<double> percent_of_peak(const Machine& machine, const Region& region,
                                      const std::optional<double>& seconds);
// Roofline time as a percentage of `seconds`: the larger of the algorithm's real multiply-adds at
// the FMA peak and the operands' bytes at the bandwidth of the smallest level that holds them.
// Winograd counts the multiply-adds of its product, so a time above 100 % of peak, which counts the
// definition's, still has a roof above it. A region without a product uses the bandwidth of the
// Stream with its bytes, if one was measured.
std::optional<double> percent_of_roof(const Machine& machine, const Region& region,
                                      const Trace& trace, const std::optional<double>& seconds);

}  // namespace dovetail
