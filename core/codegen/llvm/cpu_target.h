// SPDX-License-Identifier: Apache-2.0
//
// cpu_target: the capabilities of a CPU as a Target: this host's (`cpu`, `cpu:threads=2`), or
// another's by name (`cpu:arch=cortex-a76`), whose code can be built and inspected here but not
// run.
//
//   cpu_target(*parse_target_name("cpu"))    vector_bytes 64, vector_registers 32, llvm_cpu znver5
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

// Fails for an arch that LLVM does not know; the error has the nearest name.
Result<Target> cpu_target(const TargetName& name);

// The baseline CPU of this host's architecture with fused multiply-add: x86-64-v3, or any AArch64.
// Its code computes the same bytes on every host that runs it. Fails on a host without it.
Result<Target> least_target_here();

// The features that code for an x86-64 target may use, by LLVM's names, sorted: those of its CPU,
// with the additions and removals of its feature list. Empty for other architectures.
std::vector<std::string> cpu_features(const Target& target);

// LLVM names a processor by its model number, and may name an older kind of which it has more than
// the features. CpuByFeatures: the kind whose features are nearest, and those that the name lacks.
struct CpuByFeatures {
  std::string cpu;                  // sapphirerapids, where the name is rocketlake
  std::vector<std::string> beyond;  // amx-tile, avx512fp16, …
};
std::optional<CpuByFeatures> cpu_by_features(const Target& target);  // none: the name fits

// Error: code for the target does not run on this host; it names the missing feature.
Result<void> check_runs_on_host(const Target& target);

std::string llvm_version();  // "19.1.7"

}  // namespace dovetail
