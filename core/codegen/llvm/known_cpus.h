// SPDX-License-Identifier: Apache-2.0
//
// known_cpus: the 64-bit x86 and Arm CPUs that code can be built for by name: all that LLVM knows.
//
//   known_cpu("rocketlake")   16 lanes of f32 in 32 registers, and the caches of a typical core
//   known_cpu("z80")          none
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/target.h"

namespace dovetail {

// LLVM's names, in its order: those of x86-64, then those of AArch64.
std::vector<std::string> known_cpus();

// For Linux. Cache sizes are those of a typical core of the kind, or, where kCaches in
// known_cpus.cc has no row, 32 KiB, 1 MiB and 16 MiB. No SVE is emitted: a vector of any Arm core
// is a NEON vector.
std::optional<Target> known_cpu(std::string_view name);

// By LLVM's names, with those that others imply: LLVM's own list for alderlake has avxvnni and not
// avx2. Empty for another name.
std::set<std::string> features_of_x86(std::string_view cpu);

}  // namespace dovetail
