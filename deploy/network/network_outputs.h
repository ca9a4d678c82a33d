// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkOutputs: which region's tensor may be written straight into an output of the network.
//
//   gemm -> t; Flatten (t) -> y; output y      the gemm writes y: t wants to be row-major
//   x is an input; output x                    nothing writes it: a copy
//   outputs y and y again                      one is written, the other one is a copy
//
// Only shapes may change between the region and the output, or nothing.

#include <map>
#include <optional>
#include <set>

#include "core/frontend/partition/partition.h"

namespace dovetail {

class NetworkOutputs {
 public:
  explicit NetworkOutputs(const Partition& parts);

  // The tensor of a region is one of the network's outputs, in another shape perhaps.
  bool wants_plain(TensorId made) const { return output_of_.contains(made); }
  // The output that is written with this tensor, now; nothing where it is none, or not row-major.
  std::optional<TensorId> take(TensorId made, bool is_plain);
  // The output was written by a region.
  bool is_held(TensorId output);

 private:
  std::map<TensorId, TensorId> output_of_;  // what a region makes -> the output
  std::multiset<TensorId> held_;
};

}  // namespace dovetail
