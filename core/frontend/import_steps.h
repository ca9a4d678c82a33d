// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of import_onnx() (onnx_import.h), each in the file of its name (load_onnx and
// convert_onnx: onnx/load.cc and onnx/convert.cc), in their order.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/model/choose_branches.h"
#include "core/frontend/onnx_import.h"
#include "core/ir/graph/graph.h"

namespace onnx {
class ModelProto;  // only .cc files that read ONNX include its headers
}

namespace dovetail {

// A model file as an ONNX message, checked, with all shapes that inference finds, and constants
// folded: each needs the other, so they alternate until nothing is left to fold.
struct LoadedModel {
  std::shared_ptr<onnx::ModelProto> model;
  std::vector<BranchChoice> choices;  // outputs of Ifs whose branches are both in it
};
// Where a model is read from.
struct OnnxSource {
  std::string path;                                 // with `bytes`: a word for messages
  std::optional<std::span<const std::byte>> bytes;  // instead of the path's
};
Result<LoadedModel> load_onnx(const OnnxSource& source, const ImportOptions& options);

// The version of the default operator set that a model uses.
Result<int64_t> default_opset(const onnx::ModelProto& model);

// A loaded model as a Graph, node for node. No later step sees ONNX's types. Complex operators have
// no spec yet; a node whose body is a graph (If, Loop) reads the outer tensors that its body reads.
// The model's constants are moved out of it.
Result<Graph> convert_onnx(onnx::ModelProto& model);

// The class of one of ONNX's operator types (onnx_operators.h): `unknown` for control flow,
// recurrence, random numbers, sequences, and types that are not ONNX's.
OperatorClass classify_onnx(std::string_view type);

// Drops nodes, initializers and optional outputs that no output of the graph needs, in bodies too,
// so that a model is never refused because of them.
//
//   u = NonZero (x);  y, mask = Dropout (x)                 becomes    y = Dropout (x)
void drop_unread(onnx::ModelProto& model, int64_t opset);

// Replaces values computed from constants and known shapes by initializers (operators of
// constants/constant_rules.h), and control flow that is known by nodes of its bodies
// (model/control_flow.h). Returns the number of nodes removed or replaced.
//
//   s = Shape(x);  b = Gather(s, 0);  t = Concat(b, [-1, 64])     becomes    t = [1, -1, 64]
struct FoldBudget {
  int64_t elements = 0;  // elements that all calls for a model may still make
  int64_t inlined = 0;   // nodes inlined from bodies so far
};
// A small file can ask for constants of any size, so their number is limited to 2^27 elements, and
// one more for each byte of the model.
FoldBudget fold_budget(const onnx::ModelProto& model);
Result<int64_t> fold_constants(onnx::ModelProto& model, FoldBudget& budget);

// Drops operands and parts without elements of a Concat, a Split or a Scatter, which come from
// shape arithmetic; an empty tensor is a constant by now. A MatMul over no elements becomes zeros.
//
//   y, e = Split (x), e of [2,0];  z = Concat (y, e)        becomes    y = Split (x);  z = y
void drop_empty(Graph& graph);

// Checks that constant indices of a Gather or a Scatter are within their axis
// (computations/named_elements.h), and that a Reshape or the like keeps the number of elements.
Result<void> check_elements(const Graph& graph);

// Expands LSTM, GRU and RNN to products and the regions of their steps (recurrence/), in any
// direction and layout. One that cannot be expanded (f16, too many steps) gets the attribute
// `not_tuned` with the reason. Fails for an invalid model.
//
//   RNN (x, w, r)     becomes    p = MatMul (x of all steps, w);
//                                q = MatMul (h0, r);  h1 = Written {tanh(p[0] + q)} (p, 0, q);  …
Result<void> expand_recurrences(Graph& graph);

// Replaces nodes of any operator that read only constants by constants (constants/fold_nodes.h).
Result<void> fold_nodes(Graph& graph);

// Removes an Identity, or a Dropout at inference whose mask is unused: its readers read its input.
void drop_identities(Graph& graph);

// Replaces chains of simpler operators, as exporters write them, by the operator that they compute.
//
//   x * (1 + Erf(x / sqrt(2))) * 0.5                               becomes   Gelu (x)
//   d / Sqrt(ReduceMean(d^2) + epsilon), d = x - ReduceMean(x)     becomes   LayerNormalization (x)
//   LayerNormalization (x) * scale + shift     becomes     LayerNormalization (x, scale, shift)
//
// Factors and terms may be in any order; intermediate tensors must have no other reader. A
// normalisation must be over the last axes of its input, its scale and shift constants of these.
Result<void> recognise_chains(Graph& graph);

// Adds their specs to Conv, ConvTranspose, Gemm and MatMul.
//
//   Conv {kernel_shape=[3,3],pads=[1,1,1,1]} (x, w, b)  becomes  c2d:…,k=3,p=1+bias (x, w, b)
//   Gemm {alpha=0.5,transB=1} (a, w, c)                 becomes  gmm:…+bias (a, w/2 transposed, c)
//
// alpha and beta of Gemm and the transposition of a constant B go into the constants; an alpha or
// beta of activations becomes an elementwise Mul of its own. A node that no spec can express keeps
// its type and gets the attribute `not_tuned` with the reason. Fails for an invalid model.
Result<void> lower_operators(Graph& graph);

// The nodes that replace one of these; none, with the reason, if no spec can express it. New
// constants are added to the graph; the node itself is not replaced yet.
struct Lowering {
  std::vector<GraphNode> nodes = {};
  std::string reason = {};
};
Result<Lowering> lower_convolution(const Graph& graph, const GraphNode& node);
Result<Lowering> lower_gemm(Graph& graph, const GraphNode& node);
Result<Lowering> lower_matmul(const Graph& graph, const GraphNode& node);

// The node with a spec, and the type in which an operator on such a tensor computes.
GraphNode with_spec(const GraphNode& node, Operator op, std::vector<TensorId> inputs);
ElementType data_type(const GraphTensor& tensor);

// Folds a BatchNormalization of constants into the convolution whose only reader it is: weights are
// scaled, and the bias gets the rest. Likewise an Add and a Mul of a constant with one value per
// channel.
//
//   conv = c2d:… (x, w) -> t;  norm = BatchNormalization (t, scale, shift, mean, variance) -> y
//   becomes   conv = c2d:…+bias (x, w * factor, shift - factor * mean) -> y
//   conv = c2d:… (x, w) -> t;  mul = Mul (t, factor) -> u;  add = Add (u, shift) -> y
//   becomes   conv = c2d:…+bias (x, w * factor, shift) -> y
Result<void> fold_normalizations(Graph& graph);

}  // namespace dovetail
