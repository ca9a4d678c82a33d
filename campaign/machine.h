// SPDX-License-Identifier: Apache-2.0
#pragma once

// Machine: the most that the machine can do, so that seconds become percentages.

#include <optional>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "core/record/line/caches.h"

namespace dovetail {

// The ceilings of a target; nothing where they are not known (a GPU, at present).
struct Machine {
  struct Level {
    int64_t capacity_bytes = 0;
    double bytes_per_second = 0;
  };
  // A loop that reads and writes so many bytes, and nothing else.
  struct Stream {
    int64_t read_bytes = 0, written_bytes = 0;
    double bytes_per_second = 0;
  };
  std::optional<double> peak_gflops;  // FMA, of the threads that the target uses
  std::vector<Level> levels;          // nearest first; the last one holds everything
  std::vector<Stream> streams = {};   // of regions without a product
};
// The limits for operands that no cache holds: of the levels only memory is left.
Machine without_caches(Machine machine);

// On the cores that candidates ran on; of an OpenCL device no levels. `peak_gflops` is what the
// runner saw along the campaign, 0 if it measured nothing; levels are measured up to the one that
// holds the operands of all of `regions`, which is memory when they are cold. Those of a network
// are held to the levels of hot ones: some are there, so that it stays a bound.
Machine measure_machine(const Target& target, double peak_gflops,
                        const std::vector<Region>& regions, Caches caches = Caches::hot);

// By nominal FLOPs of the FMA peak. There is none of no time.
std::optional<double> percent_of_peak(const Machine& machine, const Region& region,
                                      const std::optional<double>& seconds);
// The roof is the larger of the real multiply-adds of the trace's algorithm at the FMA peak and the
// operands' bytes at the bandwidth of the smallest level that holds them. Of Winograd's algorithm
// the multiply-adds are those of its product, so that a time beyond 100 % of the peak, which counts
// the definition's, still has a roof above it. Of a region without a product the bytes are those
// read and those written at the rate of a loop that does just that, where it was measured.
std::optional<double> percent_of_roof(const Machine& machine, const Region& region,
                                      const Trace& trace, const std::optional<double>& seconds);

}  // namespace dovetail
