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
//   plan.places[b]                            {.arena = 0, .offset = 65536}
//   plan.arenas[0]                            workspace, 590336 bytes, aligned to 64
//   bytes_in(plan, NetworkMemory::workspace)  what is used, to the byte
//   plan.lower_bound_bytes                    no plan needs less
//
// An arena is memory that comes in one piece: a pool that somebody gave a name, a limit, an
// alignment. There may be several for temporaries, and several for constants, each in the order in
// which they are tried (TVM's USMP has the same):
//
//   plan_network(network, {.workspace = {TRY(parse_network_pool("sram:size=262144")),
//                                        network_pool("dram")},
//                          .boundary = NetworkBoundary::inside})
//   plan.arenas    sram 262144, dram 328192, constants 17421120, preparation 65536
//
// With the boundary inside, inputs are alive from the start to their last reader, and outputs from
// their writer to the end: places for whoever has no better ones, which cost next to nothing. It
// makes no difference to others if inputs and outputs lie elsewhere: bytes of theirs are then free.
//
// Why an index into a list and not an enumerator: memories differ in what they are for, but whoever
// provides them sees pieces, and a package hands out one pointer each.
//
// Offsets are multiples of 64, which kernels take for granted.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/memory/planner.h"
#include "core/runtime/executable.h"

namespace dovetail {

enum class NetworkMemory : uint8_t { workspace, constants, preparation, boundary };

struct NetworkArena {
  std::string name = {};  // the pool's, or the word of its use
  NetworkMemory use = NetworkMemory::workspace;
  int64_t bytes = 0;  // 0: nothing lies there
  int64_t alignment = kBufferAlignment;
  int64_t lower_bound_bytes = 0;  // for the buffers that lie there, no plan needs less
  friend bool operator==(const NetworkArena&, const NetworkArena&) = default;
};

struct NetworkPlan {
  // The workspace's pools, the constants' pools, preparation and, where it is apart, boundary; the
  // first two kinds are what an executable has, by the same indices.
  std::vector<NetworkArena> arenas = {};
  std::vector<ArenaPlace> places = {};  // in the order of the network's buffers
  int64_t lower_bound_bytes = 0;        // of the workspace, all pools together
  std::string algorithm = {};
  friend bool operator==(const NetworkPlan&, const NetworkPlan&) = default;
};

int64_t bytes_in(const NetworkPlan& plan, NetworkMemory use);  // all such arenas together
NetworkMemory use_of(const NetworkPlan& plan, size_t buffer);

// A network that is ready keeps these beside its inputs and outputs: constants and temporaries.
inline int64_t kept_bytes(const NetworkPlan& plan) {
  return bytes_in(plan, NetworkMemory::constants) + bytes_in(plan, NetworkMemory::workspace);
}

// A pool without a limit, aligned as kernels want it; and one as `--pool` has it, so aligned where
// the text does not say otherwise.
Pool network_pool(std::string name);
Result<Pool> parse_network_pool(std::string_view text);

// Where inputs and outputs lie: in an arena of their own, which nothing else ever uses, so that a
// network runs again and again on the same inputs; or in the workspace, where a run leaves of an
// input what it likes, and an output lasts until the next run.
enum class NetworkBoundary : uint8_t { apart, inside };

struct NetworkPlanOptions {
  std::string algorithm = "exact";
  int64_t most_nodes = 20'000;  // of `exact`; no clock decides where a buffer lies
  std::vector<Pool> workspace = {network_pool("workspace")};
  std::vector<Pool> constants = {network_pool("constants")};
  NetworkBoundary boundary = NetworkBoundary::apart;
};

// The problems whose plans these are, for `dovetail plan` or a planner of one's own: temporaries,
// and inputs and outputs inside, in the order of the network's buffers; constants in the order of
// use. Times are kernels.
PlanningProblem workspace_problem(const NetworkProgram& network,
                                  const NetworkPlanOptions& options = {});
PlanningProblem constants_problem(const NetworkProgram& network,
                                  const NetworkPlanOptions& options = {});

// Error: pools that temporaries cannot lie in, or that are too small, with what is alive then.
Result<NetworkPlan> plan_network(const NetworkProgram& network,
                                 const NetworkPlanOptions& options = {});

}  // namespace dovetail
