// SPDX-License-Identifier: Apache-2.0
#pragma once

// link_network: joins a network's program, plan and code into one value without IR, which runs here
// (loaded_network.h) or is written as a package.
//
//   const NetworkPlan plan = TRY(plan_network(program, {.boundary = NetworkBoundary::inside}));
//   NetworkCode code = TRY(build_network(program, target));
//   Executable network = TRY(link_network(graph, program, plan, std::move(code), target));
//   TRY(pack_constants(program, plan, constants, network));
//
// Why constants are separate: `run` packs them at their final addresses, call by call, while it
// frees the graph's own; a package holds them all.

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/network/network_program.h"
#include "core/ir/program/buffer_values.h"
#include "core/runtime/executable.h"
#include "deploy/network/network_code.h"
#include "deploy/network/network_plan.h"

namespace dovetail {

// The result has no constants yet. Fails for an input or output that the network does not hold
// row-major.
Result<Executable> link_network(const Graph& graph, const NetworkProgram& network,
                                const NetworkPlan& plan, NetworkCode code, const Target& target);

// Needs the kernel bodies of `network`; they may be dropped afterwards.
Result<void> pack_constants(const NetworkProgram& network, const NetworkPlan& plan,
                            const ValuesOfTensor& constants, Executable& executable);

}  // namespace dovetail
