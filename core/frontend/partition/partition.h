// SPDX-License-Identifier: Apache-2.0
#pragma once

// partition: splits a graph into regions, each of which is computed, tuned and recorded by itself.
//
//   Partition parts = TRY(partition(TRY(import_onnx("resnet18.onnx"))));
//   parts.graph.nodes[0]      conv1 = c2d:…+bias+relu (…)      Conv_0 and the Relu_1 that joined it
//   parts.joined["Conv_0"]    {"Relu_1"}
//   parts.regions[1].spec     Y[…]max=A[…]:…                   what MaxPool_2 computes
//   partition(graph, {.tails = false, .elementwise = false})   a region for each node
//
// Why a pass of its own: fusion is a decision, which a variant can disable and a search can weigh.
// An import only represents the model (onnx_import.h).

#include <string>
#include <vector>

#include "core/frontend/computations/node_region.h"
#include "core/frontend/partition/tails.h"

namespace dovetail {

struct PartitionOptions {
  bool tails = true;        // elementwise nodes join the operator that they follow, tails.h
  bool tail_values = true;  // also those that no named epilogue expresses
  bool elementwise = true;  // elementwise nodes join each other, elementwise.h
};

struct Partition {
  Graph graph;                      // its nodes are the regions
  std::vector<NodeRegion> regions;  // each node's region, or the reason why it has none
  JoinedNodes joined;
};

// Nodes of the model: those that are regions, and those that joined one.
int64_t num_model_nodes(const Partition& partition);

// Fails as node_region() does.
Result<Partition> partition(Graph graph, const PartitionOptions& options = {});

// The graph's text, which parse_graph() reads, with comments: the number of regions, and for each
// node the nodes that joined it and the text of its region.
//
//   # 4 nodes in 3 regions: 1 with a spec, 1 view
//   graph tiny
//   …
//   # with relu_1
//   node conv_0 = complex c2d:…+relu (x, w) -> t: f32[1,4,8,8]
//   # Y[…]max=A[…]:…
//   node pool_2 = reduction MaxPool {…} (t) -> u: f32[1,4,4,4]
//   # a view: only the shape changes
//   node flatten_3 = data_movement Flatten (u) -> y: f32[1,64]
std::string print(const Partition& partition);

}  // namespace dovetail
