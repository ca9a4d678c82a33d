// SPDX-License-Identifier: Apache-2.0
//
// cpu_target: what a CPU can do, as a Target: this host's (`cpu`, `cpu:threads=2`), or another's by
// name (`cpu:arch=cortex-a76`), whose code can be built and looked at here but not run.
//
//   cpu_target(*parse_target_name("cpu"))    vector_lanes 16, vector_registers 32, llvm_cpu znver5
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

// Fails for an unknown arch, naming the known ones.
Result<Target> cpu_target(const TargetName& name);

// The least CPU of this host's kind that multiplies and adds in one step: x86-64-v3, or any of
// AArch64. Its code gives the same bytes on every host that runs it. Fails on a host that does not.
Result<Target> least_target_here();

// All that code for an x86-64 may use, as LLVM names it, sorted: what its CPU has, and what its
// list adds. Empty for others.
std::vector<std::string> cpu_features(const Target& target);

// The error: code for the target does not run on this host, with what the host lacks.
Result<void> check_runs_on_host(const Target& target);

std::string llvm_version();  // "19.1.7"

// Names of the other CPUs: x86-64-v2, x86-64-v3, …
std::vector<std::string> cpu_archs();

}  // namespace dovetail
