// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkPlan: where every buffer of a network lies.
//
//   workspace      temporaries, those of one kernel and those between regions, planned together:
//                  two that are never alive at once share bytes
//   constants      weights as kernels read them, prepared ones included, in the order of use
//   preparation    what only kernels that run once read: those of one call, then those of the next;
//                  gone when the network is ready
//   boundary       inputs and outputs, one after the other
//
//   const NetworkPlan plan = TRY(plan_network(network));
//   plan.places[b]            {NetworkArena::workspace, 65536}
//   bytes_in(plan, NetworkArena::workspace)   what is used, to the byte
//   plan.lower_bound_bytes                    no plan needs less
//
// Offsets are multiples of 64, which kernels take for granted.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/memory/planner.h"

namespace dovetail {

enum class NetworkArena : uint8_t { workspace, constants, preparation, boundary };
inline constexpr size_t kNetworkArenas = 4;

struct NetworkPlace {
  NetworkArena arena = NetworkArena::workspace;
  int64_t offset = 0;
  friend bool operator==(const NetworkPlace&, const NetworkPlace&) = default;
};

struct NetworkPlan {
  std::vector<NetworkPlace> places;                // in the order of the network's buffers
  std::array<int64_t, kNetworkArenas> bytes = {};  // of each arena
  int64_t lower_bound_bytes = 0;                   // of the workspace
  std::string algorithm;
};

inline int64_t bytes_in(const NetworkPlan& plan, NetworkArena arena) {
  return plan.bytes[static_cast<size_t>(arena)];
}

// What a network that is ready keeps beside its inputs and outputs: constants and temporaries.
inline int64_t kept_bytes(const NetworkPlan& plan) {
  return bytes_in(plan, NetworkArena::constants) + bytes_in(plan, NetworkArena::workspace);
}

// The problem that workspace_problem() states, for `dovetail plan` or a planner of one's own.
PlanningProblem workspace_problem(const NetworkProgram& network);

struct NetworkPlanOptions {
  std::string algorithm = "exact";
  int64_t most_nodes = 20'000;  // of `exact`; no clock decides where a buffer lies
};
Result<NetworkPlan> plan_network(const NetworkProgram& network,
                                 const NetworkPlanOptions& options = {});

}  // namespace dovetail
