// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkReference: a whole graph evaluated in double, from its inputs to its outputs. Nothing is
// rounded between its nodes, so that the error of each engine, ours too, can be measured.
//
//   const NetworkReference reference = TRY(network_reference(parts, inputs, visit, listener));
//   reference.outputs[0].real(7)            what the definition gives
//   range_error(ours, reference.outputs[0])     2.1e-7: |ours - reference| over the output's range
//
// Each node is evaluated as when it is checked alone (measure/reference), on its producers' results
// in double; f16 tensors are not rounded, either. Integers stay integers. `visit` sees the tensors
// of each node while they are live: error estimates need them, and a campaign checks candidates on
// them.

#include <functional>
#include <vector>

#include "campaign/listener.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/region/region.h"
#include "core/ir/value/named_arrays.h"

namespace dovetail {

struct NetworkReference {
  std::vector<NDArray> outputs;  // in the graph's order: f64, or i64 for integers and booleans
};

// Called with the node's region, its inputs and its outputs, by the region's tensor names.
using VisitNode = std::function<void(size_t node, const Region& region, const NamedArrays& given,
                                     const NamedArrays& made)>;

// Inputs are in the graph's order. Fails on a constant without elements, by name.
Result<NetworkReference> network_reference(const Partition& parts,
                                           const std::vector<NDArray>& inputs,
                                           const VisitNode& visit, const Listener& listener);

// The largest |found - expected|, relative to the range of `expected`; infinite where one has an
// infinity or a NaN that the other has not.
double range_error(const ArrayView& found, const ArrayView& expected);

}  // namespace dovetail
