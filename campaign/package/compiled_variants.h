// SPDX-License-Identifier: Apache-2.0
#pragma once

// CompiledVariants: the network of a build, judged and compiled for each of its targets.
//
//   const CompiledVariants compiled = TRY(compile_variants(wish, std::move(judged)));
//   compiled[0].label          "v4": the best comes first, whatever the order of the options
//   compiled[0].executable     its kernels are called pose_v4_p0_0_pad, …
//
// Ordered by instruction set: a superset of features comes before its subsets.

#include <string>
#include <vector>

#include "campaign/package/judge_for_build.h"
#include "campaign/package/package_wish.h"
#include "core/base/result.h"
#include "core/runtime/executable.h"
#include "deploy/network/network_plan.h"
#include "deploy/package/package_interface.h"

namespace dovetail {

struct CompiledVariant {
  JudgedBuild judged;
  std::string label;                  // in symbol names; empty for a single variant
  std::vector<std::string> features;  // that the driver checks for at run time
  NetworkPlan plan = {};
  Executable executable = {};
};
using CompiledVariants = std::vector<CompiledVariant>;

// Best first, with labels, not compiled yet. Fails if two require the same processor features, or
// if one of several is not for x86-64 processors.
Result<CompiledVariants> ordered_variants(std::vector<JudgedBuild> judged);

// Asks for what the code uses, and orders them again by that. Fails if a pool is too small, or if
// code for a target cannot be generated.
Result<void> compile_variants(const PackageWish& wish, CompiledVariants& variants);

// Views into the compiled variants.
PackageVariants package_variants(const CompiledVariants& variants);

}  // namespace dovetail
