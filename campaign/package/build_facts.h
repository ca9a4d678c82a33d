// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a package says of a judged network beside its code: which record each call has, how exact
// its regions are, where the bytes of its weights come from.
//
//   calls_of(judged, "logs/tune.jsonl")
//     {.node = "Conv_0", .task = "c2d:…", .match = CallMatch::exact, .record = "log#1.17@5e1f…"}
//
// Records lose the log's path: a package does not tell where it was made.

#include <string>
#include <vector>

#include "campaign/package/judge_for_build.h"
#include "core/ir/network/network_program.h"
#include "deploy/network/network_plan.h"
#include "deploy/package/package_facts.h"

namespace dovetail {

std::vector<PackageCall> calls_of(const JudgedNetwork& network, const std::string& log);

// Of calls by algorithms that round otherwise than the definition: the largest error on the data,
// or, where the network did not run, the rule's estimate.
std::vector<RegionAccuracy> accuracy_of(const JudgedBuild& judged);

// Of each of the plan's arenas of constants.
std::vector<WeightsOrigin> weights_origins(const NetworkProgram& network, const NetworkPlan& plan);

}  // namespace dovetail
