// SPDX-License-Identifier: Apache-2.0
#pragma once

// Verbs need this of measure/: a runner for a target, and the most that the machine can do, so that
// seconds become percentages.

#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/operator.h"
#include "core/ir/target.h"
#include "measure/local_runner.h"

namespace dovetail {

struct RunnerOptions {
  uint64_t operand_seed = 0;  // of the numbers that candidates are checked on
  bool cold = false;          // operands out of the caches before every timed run
};
Result<std::unique_ptr<LocalRunner>> make_runner(const Target& target,
                                                 const RunnerOptions& options = {});

// The ceilings of a target; nothing where they are not known (a GPU, at present).
struct Machine {
  struct Level {
    int64_t capacity_bytes = 0;
    double bytes_per_second = 0;
  };
  std::optional<double> peak_gflops;  // FMA, of the threads that the target uses
  std::vector<Level> levels;          // nearest first; the last one holds everything
};
// The limits for operands that no cache holds: of the levels only memory is left.
Machine without_caches(Machine machine);

// On the cores that candidates ran on; of an OpenCL device no levels. `peak_gflops` is what the
// runner saw along the campaign, 0 if it measured nothing; levels are measured up to the one that
// holds the operands of all of `regions`, which is memory when they are cold.
Machine measure_machine(const Target& target, double peak_gflops,
                        const std::vector<Region>& regions, bool cold = false);

// By nominal FLOPs of the FMA peak.
std::optional<double> percent_of_peak(const Machine& machine, const Region& region, double seconds);
// The roof is the larger of the operator's real multiply-adds at the FMA peak and its operands'
// bytes at the bandwidth of the smallest level that holds them.
std::optional<double> percent_of_roof(const Machine& machine, const Region& region, double seconds);

}  // namespace dovetail
