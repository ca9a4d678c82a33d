// SPDX-License-Identifier: Apache-2.0
#pragma once

// The innermost loops of measure/machine_peak.h, for the widest vectors that the processor has.

#include <cstdint>

namespace dovetail {

struct MachineLoops {
  double flops_per_round;                      // of fma()
  float (*fma)(int64_t rounds);                // the result depends on every multiply-add
  float (*read)(const float*, int64_t count);  // count: a multiple of kLoopFloats
  void (*copy)(const float*, float*, int64_t count);
  void (*copy_past_caches)(const float*, float*, int64_t count);  // where there are such stores
};

inline constexpr int64_t kLoopFloats = 128;

const MachineLoops& machine_loops();

}  // namespace dovetail
