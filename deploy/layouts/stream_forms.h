// SPDX-License-Identifier: Apache-2.0
#pragma once

// StreamForms: the ways in which a region without a product can have its tensors stored, each found
// from how one of them is.
//
//   pool: t[1,64,112,112] -> u[1,64,56,56]
//     following("A", 1@16:4 2@1:112 3@1:112 1@1:16)    t so, u as 1@16:4 2@1:56 3@1:56 1@1:16
//     leading(1@8:8 2@1:56 3@1:56 1@1:8)               u so, t in blocks of 8, too
//     between("A", forms, …)                           t in blocks of 16, u in blocks of 8
//
// Whatever is given can be lowered: the region can be written down over these digits
// (primitives/propagation/stored_region.h).

#include <optional>
#include <string>
#include <vector>

#include "core/frontend/partition/partition.h"
#include "deploy/network/network_choice.h"
#include "deploy/network/network_outputs.h"
#include "primitives/propagation/stored_region.h"

namespace dovetail {

class StreamForms {
 public:
  // It holds references. `outputs` of the network that this region writes are row-major in all that
  // is found.
  StreamForms(const Graph& graph, const NodeRegion& node, const Region& region,
              const NetworkOutputs& outputs)
      : graph_(graph), node_(node), region_(region), outputs_(outputs) {}

  FormsOfTensors plain() const;
  // Outputs follow the input, and all other inputs follow the first output.
  std::optional<FormsOfTensors> following(const std::string& input, const NormalLayout& form) const;
  // The first output is stored so, and inputs such that it comes out so.
  std::optional<FormsOfTensors> leading(const NormalLayout& form) const;
  // `forms`, but for the first output: the region converts what it makes.
  std::optional<FormsOfTensors> between(FormsOfTensors forms, const NormalLayout& form) const;

 private:
  std::vector<int64_t> shape(TensorId id) const;
  std::optional<NormalLayout> in_region(const std::string& name, TensorId id,
                                        const NormalLayout& form) const;
  // Inputs without a form get one that the first output's form asks for, where it can be said.
  void lead_inputs(StoredForms& stored) const;
  std::optional<FormsOfTensors> in_graph(const StoredForms& stored) const;
  std::optional<FormsOfTensors> if_stored(FormsOfTensors forms) const;

  const Graph& graph_;
  const NodeRegion& node_;
  const Region& region_;
  const NetworkOutputs& outputs_;
};

}  // namespace dovetail
