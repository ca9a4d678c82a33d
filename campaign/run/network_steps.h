// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkSteps: a loaded network run call by call, each checked against the reference on what it
// was given, so that a wrong output names the node that made it.
//
//   NetworkSteps steps(parts, lowered, target);
//   steps.give(x, values);                     inputs, by tensor of the graph
//   TRY(steps.run(network, name, listener));   steps.reason() is empty where all is right
//   steps.values(y)                            an output, row-major
//
// A tensor's values go with its last reader, but for the graph's inputs and outputs; so do, unless
// they are wanted later, the graph's constants, which the network has by then (StoreConstants). It
// runs in the memory that was
// planned: two buffers that share bytes and should not make a later call wrong. The reference knows
// the graph's nodes and nothing of layouts: so regions that were written down over digits are
// checked, too, and conversions must change nothing.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/value/array.h"
#include "deploy/network/loaded_network.h"
#include "deploy/network/lowered_network.h"
#include "measure/reference/region_reference.h"

namespace dovetail {

// The graph's own numbers, without a copy: f32, or i64 of integers and truths. The error is a
// constant without numbers, by name.
Result<Array> constant_values(const GraphTensor& constant);
// As a network stores them; what is given holds until the next is asked for.
ConstantsOfGraph constants_of(const Graph& graph);

// The graph's constants go each with its last reader, or stay.
enum class GraphConstants : uint8_t { released, kept };

class NetworkSteps {
 public:
  NetworkSteps(Partition& parts, const LoweredNetwork& lowered, const Target& target,
               GraphConstants constants = GraphConstants::released);

  void give(TensorId tensor, Array values);
  // The error is a device that failed.
  Result<void> run(LoadedNetwork& network, const std::string& name, const Listener& listener);

  // A constant's are those of the graph, as long as it has them. The error is one without numbers,
  // by name.
  Result<Array> values(TensorId tensor);
  const std::string& reason() const { return reason_; }
  double max_abs_error() const { return max_abs_error_; }
  double max_rel_error() const { return max_rel_error_; }
  // How far off each call was, conversions apart.
  struct CallError {
    size_t call = 0;
    TaskSpec task;
    std::optional<Algorithm> algorithm;  // that rounds otherwise than the definition
    double range_error = 0;
  };
  const std::vector<CallError>& errors() const { return errors_; }

 private:
  Result<void> run_call(LoadedNetwork& network, size_t call);
  Result<void> check_node(const NetworkStep& step);
  void check_conversion(const NetworkStep& step, const Array& converted);
  // Nodes for which nothing runs, up to this one: views, and transposes that became layouts.
  Result<void> pass_nodes(size_t up_to);
  Result<void> pass_node(const NodeRegion& node);
  void release_read_by(size_t node);

  GraphTensor& tensor(TensorId id) const { return parts_.graph.tensors[static_cast<size_t>(id)]; }
  std::optional<Array>& at(TensorId id) { return values_[static_cast<size_t>(id)]; }

  Partition& parts_;
  const LoweredNetwork& lowered_;
  const Target& target_;
  GraphConstants constants_;
  std::vector<std::optional<Array>> values_;  // of the graph's tensors; none: not computed yet
  std::vector<bool> has_call_;                // of the graph's nodes
  std::vector<std::vector<TensorId>> last_read_by_;  // likewise
  size_t passed_ = 0;                                // nodes before this one are done
  std::string reason_;
  double max_abs_error_ = 0, max_rel_error_ = 0;
  std::vector<CallError> errors_;
};

}  // namespace dovetail
