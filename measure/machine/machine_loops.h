// SPDX-License-Identifier: Apache-2.0
#pragma once

// The inner loops of measure/machine/machine_peak.h, for the widest vectors of this processor.

#include <cstdint>

namespace dovetail {

struct MachineLoops {
  double flops_per_round;                     // by fma()
  float (*fma)(int64_t rounds);               // the result depends on every multiply-add
  void (*read)(const float*, int64_t count);  // loads alone; count: a multiple of kLoopFloats
  void (*fill)(float*, int64_t count);        // stores alone
  void (*copy)(const float*, float*, int64_t count);
  void (*copy_past_caches)(const float*, float*, int64_t count);  // non-temporal stores, if any
};

inline constexpr int64_t kLoopFloats = 128;

const MachineLoops& machine_loops();

}  // namespace dovetail
