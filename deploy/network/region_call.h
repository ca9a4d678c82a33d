// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionCall: one region while it is lowered into a network: its task and trace, the program that
// they were lowered to, and the graph's tensors behind its own.
//
//   RegionCall call = TRY(RegionCall::make(region, node, graph, trace_of, target));
//   TRY(call.lower({}));              the trace decides how everything is stored
//   call.form_in_graph(buffer, {1, 64, 56, 56})      1@16:4 2@1:56 3@1:56 1@1:16
//
// Logs and programs use canonical names; a call maps the region's own names to them.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/computations/node_region.h"
#include "core/ir/target.h"
#include "deploy/network/lower_network.h"
#include "deploy/network/network_outputs.h"
#include "primitives/propagation/stored_region.h"

namespace dovetail {

class RegionCall {
 public:
  // `trace_of` gets the task with a free border. Weights that are not constants of the graph arrive
  // in every run: they are converted then, and nothing is prepared from them.
  static Result<RegionCall> make(const Region& region, const NodeRegion& node, const Graph& graph,
                                 const TraceOfTask& trace_of, const Target& target);
  // `region` was rewritten over the digits of these layouts of `original`'s tensors.
  void set_forms(const StoredForms& forms, const Region& original);

  Result<void> lower(const Border& border);  // in canonical names
  // Lowers with the least restrictive border: network outputs are row-major, and where the trace's
  // layout cannot be expressed in the shape of the graph's tensor, the nearest one that can.
  Result<Border> lower_in_graph(const Graph& graph, const NetworkOutputs& outputs);

  const Program& program() const { return program_; }
  std::string key() const;  // calls with equal keys run the same program
  NetworkStep step(std::optional<size_t> node) const;

  // The graph's tensor with this name in the program.
  TensorId tensor(const std::string& name) const;
  const std::vector<std::pair<std::string, TensorId>>& made() const { return made_; }

  Border framework() const;  // all row-major; in a rewritten region, as chosen
  BorderTensor row_major_border(const std::string& tensor) const;
  std::optional<BorderTensor> border_from_graph(const std::string& tensor, const NormalLayout& form,
                                                const std::vector<int64_t>& shape) const;

  // The buffer's layout in terms of the graph's tensor of this shape; nothing if it has none.
  std::optional<NormalLayout> form_in_graph(const Buffer& buffer,
                                            const std::vector<int64_t>& shape) const;
  // True if the program copies what this buffer holds, to pad it for instance, or to local memory.
  bool copies(const Buffer& buffer) const;
  // The buffer in the dimensions of the original region, where that was rewritten.
  Result<Buffer> in_own_dims(Buffer buffer) const;

 private:
  Tensor region_tensor(const std::string& name) const;
  // The layout with the buffer's order of elements but no padding; row-major where there is none.
  BorderTensor nearest_border(const Buffer& buffer) const;
  // The layout in terms of the original region's tensor.
  std::optional<NormalLayout> own_form(const Buffer& buffer) const;

  void let_change(const std::string& tensor);

  KeyedTask task_;
  Region region_;         // the task's; changing weights are activations
  std::string changing_;  // names of weights that are not constant
  Trace trace_;
  Border border_;
  Target target_;
  Program program_;
  std::map<std::string, TensorId, std::less<>> tensors_;  // by canonical name
  std::vector<std::pair<std::string, TensorId>> made_;
  struct Stored {
    NormalLayout form;
    std::vector<LogicalDim> dims;  // the original region's
  };
  std::map<std::string, Stored, std::less<>> stored_;      // by canonical name
  std::map<std::string, std::string, std::less<>> names_;  // own -> canonical
};

// The input's dimension at each position of the output, if the region is only a transpose.
std::optional<std::vector<size_t>> moved_dims(const Region& region);

// Converts a graph tensor from one layout to another. The error says why no single region can.
Result<RegionCall> conversion_call(const GraphTensor& tensor, const std::vector<LogicalDim>& dims,
                                   const NormalLayout& from, const NormalLayout& to,
                                   const TraceOfTask& trace_of, const Target& target);

}  // namespace dovetail
