// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionWriter: builds the texts of nodes' regions. Axes of the first output are a0, a1, …, inputs
// A, B, …, X, A1, … by position in the node, outputs Y, Y1, Y2, ….
//
//   RegionWriter write(graph, node);
//   write.output()                       Y[a0,a1]
//   write.read(1)                        B[a1] of a vector beside a matrix: repeated as numpy does
//   write.finish("Y[a0,a1]=A[a0,a1]")    Y[a0,a1]=A[a0,a1]:a0=2,a1=3,A=2x3

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/frontend/computations/node_region.h"

namespace dovetail {

// The types that all tensors of a text may have: real numbers, also integers, or also booleans.
enum class Takes : uint8_t { reals, numbers, all };

class RegionWriter {
 public:
  static constexpr size_t kAll = std::numeric_limits<size_t>::max();
  // Only the first `most_inputs` inputs of the node are tensors of the text.
  RegionWriter(const Graph& graph, const GraphNode& node, size_t most_inputs = kAll);

  // Why no text can express the node: a type, a shape, too many tensors; empty if one may.
  std::string refusal(Takes takes) const;

  const Graph& graph() const { return graph_; }
  const GraphNode& node() const { return node_; }

  size_t num_inputs() const { return inputs_.size(); }  // up to the last one not omitted
  bool has_input(size_t position) const;
  const GraphTensor& input(size_t position) const;
  const std::vector<int64_t>& shape(size_t input) const;
  ComputedType computed(size_t input) const;

  size_t num_outputs() const { return node_.outputs.size(); }
  bool has_output(size_t position) const;
  const GraphTensor& output_tensor(size_t position = 0) const;
  const std::vector<int64_t>& output_shape(size_t position = 0) const;
  ComputedType made(size_t output = 0) const;

  // True if every input broadcasts to the output: its extents, from the last, are equal or 1.
  bool broadcasts() const;

  static std::string name(size_t input);
  static std::string axis(size_t number) { return "a" + std::to_string(number); }
  std::vector<std::string> axes() const;  // the first output's

  std::string output() const;
  std::string output(size_t position, const std::vector<std::string>& indices) const;
  // The input's element for an element of the output, by numpy's broadcasting.
  std::string read(size_t input) const;
  std::string read(size_t input, const std::vector<std::string>& indices) const;
  // Adds an axis that the output does not have.
  void add_axis(const std::string& axis, int64_t extent) { extents_[axis] = extent; }

  // The region of these statements, or a refusal if they lack an output of the node.
  NodeRegion finish(const std::string& statements) const;
  NodeRegion finish_one(const std::string& value) const { return finish(output() + "=" + value); }
  // The same for a reduction of real values, which accumulates in f32 for any type of output.
  NodeRegion finish_reduced(const std::string& value) const;
  std::string reduced_statements(const std::string& value, size_t output = 0) const;

 private:
  const Graph& graph_;
  const GraphNode& node_;
  std::vector<TensorId> inputs_;
  std::map<std::string, int64_t> extents_;
};

// The value as a number that a region's parser reads back exactly.
std::string number_text(double value);
std::string element_of(const std::string& tensor, const std::vector<std::string>& indices);
// Converts a value to another type: real(x), integer(x), boolean(x), or x itself.
std::string converted(const std::string& value, ComputedType from, ComputedType to);
// The condition as a boolean value.
std::string truth_text(const std::string& condition);
// A data-dependent index, counted from the end if negative, and clamped to the axis.
std::string index_text(const std::string& value, int64_t extent);
NodeRegion refuse(std::string reason);

}  // namespace dovetail
