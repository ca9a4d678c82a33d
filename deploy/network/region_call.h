// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionCall: one region on its way into a network: its task and trace, the program that they were
// lowered to, and which of the graph's tensors its tensors are.
//
//   RegionCall call = TRY(RegionCall::make(region, node, graph, trace_of, target));
//   TRY(call.lower({}));              the trace decides how everything is stored
//   call.form_in_graph(buffer, {1, 64, 56, 56})      1@16:4 2@1:56 3@1:56 1@1:16
//
// Logs know regions by canonical names, programs have them too; a call knows both.

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
  // The trace is asked for the task with nothing stated at its border. Weights that are no
  // constants of the graph are given in every run: they are converted then, and nothing is prepared
  // of them.
  static Result<RegionCall> make(const Region& region, const NodeRegion& node, const Graph& graph,
                                 const TraceOfTask& trace_of, const Target& target);
  // `region` was written down over the digits of these forms of `original`'s tensors.
  void set_forms(const StoredForms& forms, const Region& original);

  Result<void> lower(const Border& border);  // of canonical names
  // The border says as little as can be: outputs that the network's need are row-major, and what
  // the trace stores as no tensor of the graph's shape can be is as near to that as one can.
  Result<Border> lower_in_graph(const Graph& graph, const NetworkOutputs& outputs);

  const Program& program() const { return program_; }
  std::string key() const;  // calls with one key run the same program
  NetworkStep step(std::optional<size_t> node) const;

  // By the program's names of tensors.
  TensorId tensor(const std::string& name) const;
  const std::vector<std::pair<std::string, TensorId>>& made() const { return made_; }

  Border framework() const;  // every tensor row-major, which of a rewritten region is its form
  BorderTensor plain_border(const std::string& tensor) const;
  std::optional<BorderTensor> border_from_graph(const std::string& tensor, const NormalLayout& form,
                                                const std::vector<int64_t>& shape) const;

  // How the buffer stores the graph's tensor of this shape; nothing where that cannot be said.
  std::optional<NormalLayout> form_in_graph(const Buffer& buffer,
                                            const std::vector<int64_t>& shape) const;
  // The program makes a copy of its own of what this buffer holds: a padded one, for instance.
  bool copies(const Buffer& buffer) const;
  // The buffer as the graph's node would have it, where the region was rewritten.
  Result<Buffer> in_own_dims(Buffer buffer) const;

 private:
  Tensor region_tensor(const std::string& name) const;
  // It asks for the buffer's elements in their order, without padding between them, or row-major
  // where that order cannot be said.
  BorderTensor nearest_border(const Buffer& buffer) const;
  // In terms of the original region's tensor.
  std::optional<NormalLayout> own_form(const Buffer& buffer) const;

  void let_change(const std::string& tensor);

  TaskSpec task_;
  Region region_;         // the task's, with what changes in it
  std::string changing_;  // names of weights that change
  Trace trace_;
  Border border_;
  Target target_;
  Program program_;
  std::map<std::string, TensorId, std::less<>> tensors_;  // by canonical name
  std::vector<std::pair<std::string, TensorId>> made_;
  struct Stored {
    NormalLayout form;
    std::vector<LogicalDim> dims;  // of the original region's tensor
  };
  std::map<std::string, Stored, std::less<>> stored_;      // by canonical name
  std::map<std::string, std::string, std::less<>> names_;  // own -> canonical
};

// The dimension of the input at each position of the output, of a region that is a transpose and
// nothing else.
std::optional<std::vector<size_t>> moved_dims(const Region& region);

// A tensor of the graph from one form to another. The error says why no region does it in one step.
Result<RegionCall> conversion_call(const GraphTensor& tensor, const std::vector<LogicalDim>& dims,
                                   const NormalLayout& from, const NormalLayout& to,
                                   const TraceOfTask& trace_of, const Target& target);

}  // namespace dovetail
