// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures the rates of a machine (core/ir/machine.h).

#include <vector>

#include "core/ir/machine.h"
#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "core/record/line/caches.h"

namespace dovetail {

// Measures on the cores that candidates ran on; OpenCL devices get no levels. `peak_gflops` is the
// peak seen by the runner during the campaign, 0 if it measured none. Levels are measured up to the
// one that holds the operands of each of `regions`; for cold ones that is memory. Network cache
// states use the levels of hot operands: some operands are cached, so these stay bounds.
Machine measure_machine(const Target& target, double peak_gflops,
                        const std::vector<Region>& regions, Caches caches = Caches::hot);

}  // namespace dovetail
