// SPDX-License-Identifier: Apache-2.0
#pragma once

// CompiledVariants: the network of a build, judged and compiled for each of its targets.
//
//   const CompiledVariants compiled = TRY(compile_variants(wish, std::move(judged)));
//   compiled[0].label          "v4": the best comes first, whatever the order of the options
//   compiled[0].executable     its kernels are called pose_v4_p0_0_pad, …
//
// Instruction sets tell what is best: who asks for more comes before who asks for less.

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
  std::string label;                  // in names; of one alone: empty
  std::vector<std::string> features;  // that the processor is asked for
  NetworkPlan plan = {};
  Executable executable = {};
};
using CompiledVariants = std::vector<CompiledVariant>;

// Best first, with labels, not compiled yet. The error is two that ask the processor for the same,
// or processors that no program meets both of.
Result<CompiledVariants> ordered_variants(std::vector<JudgedBuild> judged);

// The error is a pool that is too small, or what a target's code cannot do.
Result<void> compile_variants(const PackageWish& wish, CompiledVariants& variants);

// They refer to the compiled ones.
PackageVariants package_variants(const CompiledVariants& variants);

}  // namespace dovetail
