// SPDX-License-Identifier: Apache-2.0
#pragma once

// NetworkChecker: runs a loaded network call by call and checks each call against the reference on
// the same inputs, so that a wrong output is traced to its node.
//
//   NetworkChecker steps(parts, lowered, target);
//   steps.give(x, values);                     inputs, by tensor of the graph
//   TRY(steps.run(network, name, listener));   steps.reason() is empty where all is right
//   steps.values(y)                            an output, row-major
//
// A tensor's values are freed after its last reader, except the graph's inputs and outputs; so are
// the graph's constants, unless kept, as the network has its own by then (StoreConstants). Calls
// run in the planned memory, so buffers that wrongly share bytes make a later call wrong. The
// reference evaluates the graph's nodes regardless of layouts: regions rewritten over split
// dimensions are checked, too, and conversions must change no value.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/program/buffer_values.h"
#include "core/ir/value/ndarray.h"
#include "deploy/network/loaded_network.h"
#include "deploy/network/lowered_network.h"

namespace dovetail {

// A constant's elements, without a copy: f32, or i64 for integers and booleans. Fails on a constant
// without elements, by name.
Result<NDArray> constant_values(const GraphTensor& constant);
// For a network to store.
ValuesOfTensor constants_of(const Graph& graph);

// The graph's constants are freed after their last reader, or kept.
enum class GraphConstants : uint8_t { released, kept };

class NetworkChecker {
 public:
  NetworkChecker(Partition& parts, const LoweredNetwork& lowered, const Target& target,
                 GraphConstants constants = GraphConstants::released);

  void give(TensorId tensor, NDArray values);
  // Fails if the device does; a wrong result is no error, but sets reason(). The first one ends the
  // checks, unless its algorithm rounds otherwise than the definition: all calls with errors beyond
  // a bound are then known after one run, as each is checked on the values that it was given.
  Result<void> run(LoadedNetwork& network, const std::string& name, const Listener& listener);

  // A constant's come from the graph, unless released. Fails on a constant without elements, by
  // name.
  Result<NDArray> values(TensorId tensor);
  const std::string& reason() const { return reason_.empty() ? reason_of_algorithm_ : reason_; }
  double max_abs_error() const { return max_abs_error_; }
  double max_rel_error() const { return max_rel_error_; }
  // Error of each call, without conversions.
  struct CallError {
    size_t call = 0;
    KeyedTask task;
    std::optional<Algorithm> algorithm;  // set if it rounds otherwise than the definition
    double range_error = 0;
  };
  const std::vector<CallError>& errors() const { return errors_; }

 private:
  Result<void> run_call(LoadedNetwork& network, size_t call);
  Result<void> check_node(const NetworkStep& step);
  void check_conversion(const NetworkStep& step, const NDArray& converted);
  // Evaluates nodes without a call, before `up_to`: views, and transposes folded into layouts.
  Result<void> pass_nodes(size_t up_to);
  Result<void> pass_node(const NodeRegion& node);
  void release_read_by(size_t node);

  // Keeps why a call is wrong.
  void keep(std::string reason, const std::optional<Algorithm>& algorithm);

  GraphTensor& tensor(TensorId id) const { return parts_.graph.tensors[static_cast<size_t>(id)]; }
  std::optional<NDArray>& at(TensorId id) { return values_[static_cast<size_t>(id)]; }

  Partition& parts_;
  const LoweredNetwork& lowered_;
  const Target& target_;
  GraphConstants constants_;
  std::vector<std::optional<NDArray>> values_;       // per graph tensor; none: not computed yet
  std::vector<bool> has_call_;                       // per graph node
  std::vector<std::vector<TensorId>> last_read_by_;  // likewise
  size_t passed_ = 0;                                // nodes before this one are done
  std::string reason_, reason_of_algorithm_;         // the first wrong call's; empty: none is
  double max_abs_error_ = 0, max_rel_error_ = 0;
  std::vector<CallError> errors_;
};

}  // namespace dovetail
