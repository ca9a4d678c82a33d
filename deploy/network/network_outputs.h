// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkOutputs: which region's result can be written directly to an output of the network.
//
//   gemm -> t; Flatten (t) -> y; output y      the gemm writes y: t wants to be row-major
//   x is an input; output x                    nothing writes it: a copy
//   outputs y and y again                      one is written, the other one is a copy
//
// Only views (changes of shape) may stand between the region and the output.

#include <map>
#include <optional>
#include <set>

#include "core/frontend/partition/partition.h"

namespace dovetail {

class NetworkOutputs {
 public:
  explicit NetworkOutputs(const Partition& parts);

  // True if a region's tensor is a network output, perhaps in another shape.
  bool wants_row_major(TensorId made) const { return output_of_.contains(made); }
  // Claims the output that this tensor is written to; nothing if it is none, or not row-major.
  std::optional<TensorId> take(TensorId made, bool is_plain);
  // True if take() claimed the output; true once per claim, so a repeated output is a copy.
  bool is_held(TensorId output);

 private:
  std::map<TensorId, TensorId> output_of_;  // region's tensor -> output
  std::multiset<TensorId> held_;
};

}  // namespace dovetail
