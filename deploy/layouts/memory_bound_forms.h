// SPDX-License-Identifier: Apache-2.0
#pragma once

// MemoryBoundForms: layouts for the tensors of a region without a product, derived from the layout
// of one of them.
//
//   pool: t[1,64,112,112] -> u[1,64,56,56]
//     following("A", 1@16:4 2@1:112 3@1:112 1@1:16)    t so, u as 1@16:4 2@1:56 3@1:56 1@1:16
//     leading(1@8:8 2@1:56 3@1:56 1@1:8)               u so, t in blocks of 8, too
//     between("A", forms, …)                           t in blocks of 16, u in blocks of 8
//
// Every result can be lowered: the region can be rewritten over the digits of these layouts
// (primitives/propagation/stored_region.h).

#include <optional>
#include <string>
#include <vector>

#include "core/frontend/partition/partition.h"
#include "deploy/network/network_choice.h"
#include "deploy/network/network_outputs.h"
#include "primitives/propagation/stored_region.h"

namespace dovetail {

class MemoryBoundForms {
 public:
  // Holds references to its arguments. Tensors that are network outputs are row-major in all
  // results.
  MemoryBoundForms(const Graph& graph, const NodeRegion& node, const Region& region,
                   const NetworkOutputs& outputs)
      : graph_(graph), node_(node), region_(region), outputs_(outputs) {}

  FormsOfTensors row_major() const;
  // Outputs follow the input, and all other inputs follow the first output.
  std::optional<FormsOfTensors> following(const std::string& input, const NormalLayout& form) const;
  // The first output has this layout, and the inputs follow it.
  std::optional<FormsOfTensors> leading(const NormalLayout& form) const;
  // `forms` with this layout for the first output: the region converts as it writes.
  std::optional<FormsOfTensors> between(FormsOfTensors forms, const NormalLayout& form) const;

 private:
  std::vector<int64_t> shape(TensorId id) const;
  std::optional<NormalLayout> in_region(const std::string& name, TensorId id,
                                        const NormalLayout& form) const;
  // Gives inputs without a layout the one that the first output's implies, where one exists.
  void lead_inputs(StoredForms& stored) const;
  std::optional<FormsOfTensors> in_graph(const StoredForms& stored) const;
  std::optional<FormsOfTensors> if_stored(FormsOfTensors forms) const;

  const Graph& graph_;
  const NodeRegion& node_;
  const Region& region_;
  const NetworkOutputs& outputs_;
};

}  // namespace dovetail
