// SPDX-License-Identifier: Apache-2.0
//
// The speed of a region, alone and as a percentage of what a machine can do.
//
//   percent_of_peak(machine, region, seconds)           98.4
//   percent_of_roof(machine, region, trace, seconds)    97.0
#pragma once

#include <optional>

#include "core/ir/machine.h"
#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// Nominal GFLOP/s; none without a time, and for a region that only moves data.
std::optional<double> nominal_gflops(const Region& region, const std::optional<double>& seconds);

// GB/s of the operands, for a region without a product; none for others.
std::optional<double> operand_gbytes_per_second(const Region& region,
                                                const std::optional<double>& seconds);

// The nominal GFLOP/s as a percentage of the FMA peak; none without a peak, and for a region
// without a product, to which the FMA peak does not apply.
std::optional<double> percent_of_peak(const Machine& machine, const Region& region,
                                      const std::optional<double>& seconds);

// Roofline time as a percentage of `seconds`: the larger of the algorithm's real multiply-adds at
// the FMA peak and the operands' bytes at the bandwidth of the smallest level that holds them.
// Winograd counts the multiply-adds of its product, so a time above 100 % of peak, which counts the
// definition's, still has a roof above it. A region without a product uses the bandwidth of the
// Stream with its bytes, if one was measured. None for a trace whose algorithm does not apply.
std::optional<double> percent_of_roof(const Machine& machine, const Region& region,
                                      const Trace& trace, const std::optional<double>& seconds);

// The ceilings for operands in no cache: of the levels, keeps only memory.
Machine without_caches(Machine machine);

// The stream with the bytes of a region without a product; null: not measured, or not such a one.
const Machine::Stream* stream_of(const Machine& machine, const Region& region);

}  // namespace dovetail
