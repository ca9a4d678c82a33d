// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionWriter: the pieces that texts of nodes' regions are made of. Axes of the first output are
// a0, a1, …, given tensors A, B, …, X, A1, … by their place in the node, outputs Y, Y1, Y2, ….
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

// Types that all tensors of a text may have: real numbers, integers as well, or truths, too.
enum class Takes : uint8_t { reals, numbers, all };

class RegionWriter {
 public:
  static constexpr size_t kAll = std::numeric_limits<size_t>::max();
  // Of the node's inputs the first ones; the rest is no tensor of the text.
  RegionWriter(const Graph& graph, const GraphNode& node, size_t most_inputs = kAll);

  // Why no text can say the node: a type, a shape, too many tensors; empty: one may.
  std::string refusal(Takes takes) const;

  const Graph& graph() const { return graph_; }
  const GraphNode& node() const { return node_; }

  size_t num_inputs() const { return inputs_.size(); }  // up to the last that is there
  bool has_input(size_t position) const;
  const GraphTensor& input(size_t position) const;
  const std::vector<int64_t>& shape(size_t input) const;
  ComputedType computed(size_t input) const;

  size_t num_outputs() const { return node_.outputs.size(); }
  bool has_output(size_t position) const;
  const GraphTensor& output_tensor(size_t position = 0) const;
  const std::vector<int64_t>& output_shape(size_t position = 0) const;
  ComputedType made(size_t output = 0) const;

  // Each input's axes, counted from the last, are the output's or of one element.
  bool broadcasts() const;

  static std::string name(size_t input);
  static std::string axis(size_t number) { return "a" + std::to_string(number); }
  std::vector<std::string> axes() const;  // of the first output

  std::string output() const;
  std::string output(size_t position, const std::vector<std::string>& indices) const;
  // The element that numpy's rule puts beside each of the output's.
  std::string read(size_t input) const;
  std::string read(size_t input, const std::vector<std::string>& indices) const;
  // An axis besides those of the output.
  void add_axis(const std::string& axis, int64_t extent) { extents_[axis] = extent; }

  // The region of these statements, or that it lacks an output of the node.
  NodeRegion finish(const std::string& statements) const;
  NodeRegion finish_one(const std::string& value) const { return finish(output() + "=" + value); }
  // Of a real value that is reduced: a sum grows in 32 bits, whatever the output is stored in.
  NodeRegion finish_reduced(const std::string& value) const;
  std::string reduced_statements(const std::string& value, size_t output = 0) const;

 private:
  const Graph& graph_;
  const GraphNode& node_;
  std::vector<TensorId> inputs_;
  std::map<std::string, int64_t> extents_;
};

// The value as a number that a region's text reads back exactly.
std::string number_text(double value);
std::string element_of(const std::string& tensor, const std::vector<std::string>& indices);
// A value of one type as one of another: real(x), integer(x), boolean(x), or x itself.
std::string converted(const std::string& value, ComputedType from, ComputedType to);
// 1 where the condition holds, else 0, as a truth.
std::string truth_text(const std::string& condition);
// An index of data that counts from the end where it is negative, kept within the axis.
std::string index_text(const std::string& value, int64_t extent);
NodeRegion refuse(std::string reason);

}  // namespace dovetail
