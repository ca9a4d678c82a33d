// SPDX-License-Identifier: Apache-2.0
#pragma once

// Graph: operators and the tensors between them, imported from ONNX or parsed from a text file
// (MODEL.graph), which print() writes:
//
//   graph tiny
//   input x: f32[1,3,8,8]
//   constant w: f32[4,3,3,3]
//   constant b: f32[4]
//   node conv = complex c2d:ci=3,co=4,h=8,w=8,k=3,p=1+bias+relu (x, w, b) -> y: f32[1,4,8,8]
//   node pool = reduction MaxPool {kernel_shape=[2,2],strides=[2,2]} (y) -> z: f32[1,4,4,4]
//   output z
//
// A complex operator carries its spec and reads its operands in the order of input_operands():
// input, weight, bias, addend. Each tensor holds the operand's elements in row-major order; its
// shape may group them differently (a matrix of m x k for the 1 x m x k of gmm, rank 3 for a 1-D
// transposed convolution that runs as t2d). A complex operator that cannot be tuned has no spec but
// an attribute `not_tuned` with the reason.
//
// Constants may carry their values, which are shared, never printed and ignored by ==. A parsed
// graph has none, so that only an imported graph can be executed.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/operator.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

enum class OperatorClass { complex, elementwise, reduction, data_movement, unknown };

struct GraphTensor {
  std::string name;
  ElementType type = ElementType::f32;
  std::optional<std::vector<int64_t>> shape;  // none: only known at run time
  bool constant = false;
  // Constants only: floating-point types as f32, integers and booleans as i64, row-major.
  std::optional<NDArray> data;
  friend bool operator==(const GraphTensor& a, const GraphTensor& b) {
    return a.name == b.name && a.type == b.type && a.shape == b.shape && a.constant == b.constant;
  }
};

using TensorId = int64_t;                  // index into Graph::tensors
inline constexpr TensorId kNoTensor = -1;  // an omitted optional input or output

using Attribute =
    std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;

struct GraphNode {
  std::string name;
  OperatorClass operator_class = OperatorClass::unknown;
  std::string type;            // Conv, MaxPool, …; the kind's name when there is an operator
  std::optional<Operator> op;  // complex operators that can be tuned
  std::map<std::string, Attribute> attributes;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

struct Graph {
  std::string name;
  std::vector<GraphTensor> tensors;  // inputs, constants, then the nodes' outputs, in node order
  std::vector<GraphNode> nodes;      // in topological order
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  friend bool operator==(const Graph&, const Graph&) = default;
};

std::string_view name_of(OperatorClass operator_class);

std::string print(const Graph& graph);
// `file`: name for messages, which also contain the line.
Result<Graph> parse_graph(std::string_view text, std::string_view file);
Result<Graph> read_graph(const std::string& path);

// Checks that names are unique, every tensor is written once before it is read, and a complex
// operator's tensors have the types and element counts of its spec. parse_graph and import_onnx end
// with it.
Result<void> check_graph(const Graph& graph);

// Bytes of all constants; one of unknown size counts as 0.
int64_t constant_bytes(const Graph& graph);

// Least bytes that pass through the caches between two uses of a constant in successive runs: all
// constants, and the activations of the node with the most bytes of them.
int64_t working_set_bytes(const Graph& graph);

// Drops unused tensors and renumbers the rest in the order stated at Graph::tensors.
Graph compact(const Graph& graph);

// Fails if there are operators of class `unknown`: one line that lists their types with counts and
// node names.
Result<void> check_supported(const Graph& graph);

}  // namespace dovetail
