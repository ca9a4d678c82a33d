// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkPlan: the arena and offset of every buffer of a network.
//
//   workspace      temporaries, those of one kernel and those between regions, planned together:
//                  two that are never alive at once share bytes
//   constants      weights as kernels read them, prepared ones included, in the order of use
//   preparation    what only kernels that prepare constants read: those of one call, then those
//                  of the next; gone when the network is ready
//   boundary       inputs and outputs, one after the other
//   images         temporaries in a texture scope, each an object of its own: only counted here
//
//   const NetworkPlan plan = TRY(plan_network(network));
//   plan.places[b]                            {.arena = 0, .offset = 65536}
//   plan.arenas[0]                            workspace, 590336 bytes, aligned to 64
//   bytes_in(plan, NetworkMemory::workspace)  what is used, to the byte
//   plan.lower_bound_bytes                    no plan needs less
//
// An arena is one contiguous piece of memory: a pool with a name, a limit and an alignment. There
// may be several for temporaries, and several for constants, in the order in which they are tried
// (as in TVM's USMP):
//
//   plan_network(network, {.workspace = {TRY(parse_network_pool("sram:size=262144")),
//                                        network_pool("dram")},
//                          .boundary = NetworkBoundary::inside})
//   plan.arenas    sram 262144, dram 328192, constants 17421120, preparation 65536
//
// With the boundary inside, inputs are alive from the start to their last consumer, and outputs
// from their producer to the end: default places, almost for free, for a caller who has no better
// ones. A caller may keep inputs and outputs elsewhere all the same: their bytes are then unused.
//
// Why an index into a list and not an enumerator: kinds of memory differ in their use, but their
// provider sees pieces, and a package takes one pointer for each.
//
// Offsets are multiples of the target's alignment, a precondition of kernels.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/memory/planner.h"
#include "core/runtime/executable.h"

namespace dovetail {

enum class NetworkMemory : uint8_t { workspace, constants, preparation, boundary, images };

struct NetworkArena {
  std::string name = {};  // the pool's name, or the name of the use
  NetworkMemory use = NetworkMemory::workspace;
  int64_t bytes = 0;  // 0: unused
  int64_t alignment = kBufferAlignment;
  int64_t lower_bound_bytes = 0;  // no plan of the buffers placed here needs less
  friend bool operator==(const NetworkArena&, const NetworkArena&) = default;
};

struct NetworkPlan {
  // In order: workspace pools, constants pools, preparation, boundary if apart, and images if there
  // are any. An executable has the first two kinds, with the same indices.
  std::vector<NetworkArena> arenas = {};
  std::vector<ArenaPlace> places = {};  // by network buffer
  int64_t lower_bound_bytes = 0;        // workspace, all pools together
  std::string algorithm = {};
  friend bool operator==(const NetworkPlan&, const NetworkPlan&) = default;
};

int64_t bytes_in(const NetworkPlan& plan, NetworkMemory use);  // all such arenas together
NetworkMemory use_of(const NetworkPlan& plan, size_t buffer);
// True for memory that constants and what prepares them are packed in.
inline bool is_packed(NetworkMemory use) {
  return use == NetworkMemory::constants || use == NetworkMemory::preparation;
}

// To the byte, so that a limit and what is just above it differ: "2.840512 MB", "50 MB".
std::string print_megabytes(int64_t bytes);

// Bytes that a loaded network holds beside its inputs and outputs: constants and temporaries.
inline int64_t kept_bytes(const NetworkPlan& plan) {
  return bytes_in(plan, NetworkMemory::constants) + bytes_in(plan, NetworkMemory::workspace) +
         bytes_in(plan, NetworkMemory::images);
}

// A pool without a limit, aligned as kernels need it; and a pool from the text of `--pool`, with
// this alignment as its default.
Pool network_pool(std::string name);
Result<Pool> parse_network_pool(std::string_view text);

// Place of inputs and outputs. apart: in their own arena, not shared with temporaries, so that a
// network can run repeatedly on the same inputs. inside: in the workspace, where a run may
// overwrite inputs, and outputs last until the next run.
enum class NetworkBoundary : uint8_t { apart, inside };

struct NetworkPlanOptions {
  std::string algorithm = "exact";
  int64_t most_nodes = 20'000;  // limit of `exact`; without a clock, plans are deterministic
  std::vector<Pool> workspace = {network_pool("workspace")};
  std::vector<Pool> constants = {network_pool("constants")};
  NetworkBoundary boundary = NetworkBoundary::apart;
  // Every buffer begins at a multiple of it, and every arena at least.
  int64_t alignment = kBufferAlignment;
};

// The planning problems behind plan_network(), for `dovetail plan` or another planner: temporaries
// and, if inside, inputs and outputs in the order of the network's buffers; constants in the order
// of use. Time is counted in kernels.
PlanningProblem workspace_problem(const NetworkProgram& network,
                                  const NetworkPlanOptions& options = {});
PlanningProblem constants_problem(const NetworkProgram& network,
                                  const NetworkPlanOptions& options = {});

// Fails if pools do not suit temporaries, or are too small; then the error lists the live buffers.
Result<NetworkPlan> plan_network(const NetworkProgram& network,
                                 const NetworkPlanOptions& options = {});

}  // namespace dovetail
