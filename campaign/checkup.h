// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checkup: what this machine can do, how noisy it is, and what would help.

#include <string>
#include <vector>

#include "core/ir/target.h"
#include "measure/machine/machine_peak.h"

namespace dovetail {

struct Checkup {
  static constexpr int kNoiseRepeats = 9;

  Target cpu;  // its caches; without LLVM only defaults
  std::vector<int> cores;
  double peak_gflops = 0;                // one thread
  double peak_all_gflops = 0;            // all cores
  double noise = 0;                      // 1 - slowest / fastest of kNoiseRepeats peak measurements
  std::vector<LevelBandwidth> levels;    // one thread
  std::vector<int64_t> effective_bytes;  // usable bytes of each cache in `levels`, same order
  std::vector<Target> devices;           // every backend's, without the CPU itself
  std::vector<std::string> hints;
};

// Takes some seconds, and uses all cores.
Checkup check_up();

}  // namespace dovetail
