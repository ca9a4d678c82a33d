// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chains of nodes whose regions can be one, and pay as one: alternatives to the regions that the
// partition has.
//
//   expand   E = c2d:ci=16,co=96,h=112,w=112+bias+clip(0,6) (x, …)      E takes 4.8 MB, D 1.2 MB
//   dw       D = dep:c=96,h=112,w=112,k=3,s=2,p=1+bias+clip(0,6) (E, …)
//   project  y = c2d:ci=96,co=24,h=56,w=56+bias (D, …)
//
//   const std::vector<NodeChain> chains = fusible_chains(parts, target);     {{0, 1, 2}}
//   const Partition as_one = fused(parts, chains);                         one node, project
//
// A product with few multiplications for each element, between two others, moves more than it
// computes: as one with its neighbours, what it reads and makes stays in the caches. That is
// offered where both together are larger than the second cache; smaller ones, and all other chains,
// gain nothing on a core (docs/decisions/0031). Whether a chain is taken, networks decide
// (deploy/fusion/measured_fusions.h). Spaces of chains: primitives/space/chains/chain.h.

#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/target.h"

namespace dovetail {

struct NodeChain {
  std::vector<size_t> nodes;  // of the partition; each reads what the one before makes
  friend bool operator==(const NodeChain&, const NodeChain&) = default;
};

// No two share a node; none on a device.
std::vector<NodeChain> fusible_chains(const Partition& parts, const Target& target);

// Each node is a product that the next one alone reads, in one shape, and no two chains share a
// node: fused() takes them.
bool are_chains(const Partition& parts, const std::vector<NodeChain>& chains);

// What there is to tune of it.
TaskSpec task_of(const Partition& parts, const NodeChain& chain);

// Tensors stay as they are, so that their numbers mean the same; a chain stands where its last node
// was, under its name. They are chains: are_chains().
Partition fused(const Partition& parts, const std::vector<NodeChain>& chains);

}  // namespace dovetail
