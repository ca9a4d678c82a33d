// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionWriter: the pieces that texts of nodes' regions are made of. Axes of the output are a0, a1,
// …, given tensors A, B, C, … in the node's order, the output is Y.
//
//   RegionWriter write(graph, node);
//   write.output()                       Y[a0,a1]
//   write.read(1)                        B[a1] of a vector beside a matrix: repeated as numpy does
//   write.finish("Y[a0,a1]=A[a0,a1]")    Y[a0,a1]=A[a0,a1]:a0=2,a1=3,A=2x3

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/frontend/computations/node_region.h"

namespace dovetail {

class RegionWriter {
 public:
  static constexpr size_t kAll = std::numeric_limits<size_t>::max();
  // Of the node's inputs the first ones; the rest is no tensor of the text.
  RegionWriter(const Graph& graph, const GraphNode& node, size_t most_inputs = kAll);

  // Real inputs and output, with known shapes of at least one element each.
  bool is_real() const;
  bool has_real_output() const;
  bool has_shapes() const;
  // Each input's axes, counted from the last, are the output's or of one element.
  bool broadcasts() const;

  size_t num_inputs() const { return inputs_.size(); }
  const std::vector<int64_t>& shape(size_t input) const;
  const std::vector<int64_t>& output_shape() const;
  const GraphTensor& input(size_t position) const;

  std::string name(size_t input) const { return std::string(1, static_cast<char>('A' + input)); }
  static std::string axis(size_t number) { return "a" + std::to_string(number); }
  std::vector<std::string> axes() const;  // of the output

  std::string output() const;
  // The element that numpy's rule puts beside each of the output's.
  std::string read(size_t input) const;
  std::string read(size_t input, const std::vector<std::string>& indices) const;
  // An axis besides those of the output.
  void add_axis(const std::string& axis, int64_t extent) { extents_[axis] = extent; }

  NodeRegion finish(const std::string& statements) const;

 private:
  const Graph& graph_;
  std::vector<TensorId> inputs_;
  TensorId output_;
  std::map<std::string, int64_t> extents_;
};

// The value as a number that a region's text reads back exactly.
std::string number_text(double value);
std::string element_of(const std::string& tensor, const std::vector<std::string>& indices);

using MaybeRegion = Result<std::optional<NodeRegion>>;

// Rules, each in a file of its kind.
namespace node_regions {
MaybeRegion unary(const Graph& graph, const GraphNode& node);  // elementwise.cc
MaybeRegion binary(const Graph& graph, const GraphNode& node);
MaybeRegion clip(const Graph& graph, const GraphNode& node);
MaybeRegion batch_normalization(const Graph& graph, const GraphNode& node);
MaybeRegion expand(const Graph& graph, const GraphNode& node);
MaybeRegion cast(const Graph& graph, const GraphNode& node);
MaybeRegion transpose(const Graph& graph, const GraphNode& node);  // data_movement.cc
MaybeRegion concat(const Graph& graph, const GraphNode& node);
MaybeRegion gather(const Graph& graph, const GraphNode& node);
MaybeRegion reduce(const Graph& graph, const GraphNode& node);  // reductions.cc
MaybeRegion softmax(const Graph& graph, const GraphNode& node);
MaybeRegion layer_normalization(const Graph& graph, const GraphNode& node);
MaybeRegion pool(const Graph& graph, const GraphNode& node);
}  // namespace node_regions

}  // namespace dovetail
