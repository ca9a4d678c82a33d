// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkReference: what a whole graph computes from inputs, in double from its inputs to its
// outputs: nothing is rounded between its nodes, so that the error of each engine can be told
// apart, ours too.
//
//   const NetworkReference reference = TRY(network_reference(parts, inputs, visit, listener));
//   reference.outputs[0].real(7)            what the definition gives
//   range_error(ours, reference.outputs[0])     2.1e-7: |ours - reference| over the output's range
//
// Each node is evaluated as it is checked by itself (measure/reference), with what its makers gave
// in double; f16 tensors are not rounded, either. Integers are integers. `visit` sees the numbers
// of each node while they are there: what estimates of errors need, what a campaign checks
// candidates on.

#include <functional>
#include <vector>

#include "campaign/listener.h"
#include "core/frontend/partition/partition.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

struct NetworkReference {
  std::vector<Array> outputs;  // of the graph, in order: f64, or i64 of integers and truths
};

// The node's region, what it is given and what it makes, by the region's names.
using VisitNode = std::function<void(size_t node, const Region& region, const RegionViews& given,
                                     const RegionViews& made)>;

// Inputs are in the graph's order. The error names a constant without numbers.
Result<NetworkReference> network_reference(const Partition& parts, const std::vector<Array>& inputs,
                                           const VisitNode& visit, const Listener& listener);

// The largest |found - expected| over the range of what is expected; infinite where one has an
// infinity or a NaN that the other has not.
double range_error(const ArrayView& found, const ArrayView& expected);

}  // namespace dovetail
