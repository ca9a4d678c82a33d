// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chains of nodes that can be fused into one region and gain by it: alternatives to the partition's
// own regions.
//
//   expand   E = c2d:ci=16,co=96,h=112,w=112+bias+clip(0,6) (x, …)      E takes 4.8 MB, D 1.2 MB
//   dw       D = dep:c=96,h=112,w=112,k=3,s=2,p=1+bias+clip(0,6) (E, …)
//   project  y = c2d:ci=96,co=24,h=56,w=56+bias (D, …)
//
//   const std::vector<NodeChain> chains = fusible_chains(parts, target);     {{0, 1, 2}}
//   const Partition as_one = fused(parts, chains);                         one node, project
//
// A product with few multiplications per output element, between two others, is memory-bound: fused
// with its neighbours, its input and output stay in the caches. A chain is offered where these two
// intermediates together are larger than the L2 cache; smaller chains, and all others, gain nothing
// on one core (docs/decisions/0031). Measured networks decide whether a chain is taken
// (deploy/fusion/measured_fusions.h). Search spaces of chains: primitives/space/chains/chain.h.

#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/target.h"

namespace dovetail {

struct NodeChain {
  std::vector<size_t> nodes;  // numbers in the partition, each the consumer of the one before
  friend bool operator==(const NodeChain&, const NodeChain&) = default;
};

// Chains that share no node; empty for a device.
std::vector<NodeChain> fusible_chains(const Partition& parts, const Target& target);

// True if no two chains share a node, and in each chain every node is a product whose only consumer
// is the next one, in the same shape: the precondition of fused().
bool are_chains(const Partition& parts, const std::vector<NodeChain>& chains);

// The tuning task of the fused region.
KeyedTask task_of(const Partition& parts, const NodeChain& chain);

// The partition with each chain as one region, at the place and under the name of the chain's last
// node. No tensor is removed, so that tensor ids stay valid. Precondition: are_chains().
Partition fused(const Partition& parts, const std::vector<NodeChain>& chains);

}  // namespace dovetail
