// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of import_onnx() (onnx_import.h), each in the file of its name (convert_onnx and
// load_onnx: onnx_convert.cc and onnx_load.cc), in their order.

#include <memory>
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

// A model file as ONNX's own message, checked, with every shape that inference can tell, and
// constants folded: either needs the other, so they take turns until nothing is left to fold.
struct LoadedModel {
  std::shared_ptr<onnx::ModelProto> model;
  std::vector<BranchChoice> choices;  // whose branches are both in it
};
Result<LoadedModel> load_onnx(const std::string& path, const ImportOptions& options);

// The version of ONNX's own operators that a model is of.
Result<int64_t> default_opset(const onnx::ModelProto& model);

// A loaded model as a Graph, node for node. Nothing after it knows ONNX's types. Complex operators
// have no spec yet; A node whose body is a graph (If, Loop)
// reads what its body reads from outside. The model's constants are gone afterwards.
Result<Graph> convert_onnx(onnx::ModelProto& model);

// The class of one of ONNX's operator types (onnx_operators.cc): `unknown` for control flow,
// recurrence, random numbers, sequences, and whatever is not ONNX's.
OperatorClass classify_onnx(std::string_view type);

// Nodes, initializers and optional outputs that no output of the graph needs are left out, in
// bodies too: whatever they are, nothing is refused for them.
//
//   u = NonZero (x);  y, mask = Dropout (x)                 becomes    y = Dropout (x)
void drop_unread(onnx::ModelProto& model, int64_t opset);

// Initializers take the place of what a model computes from constants and from shapes that are
// known (constants/constant_rules.h has the operators), and nodes of bodies for control flow that
// is known (model/control_flow.h). It gives how many nodes are gone or were replaced.
//
//   s = Shape(x);  b = Gather(s, 0);  t = Concat(b, [-1, 64])     becomes    t = [1, -1, 64]
struct FoldBudget {
  int64_t elements = 0;  // that may still be made, by all calls for a model
  int64_t inlined = 0;   // nodes that came out of bodies so far
};
// A small file can ask for constants of any size: it gets 2^27 elements, and one that has weights
// of its own as many again as it has, twice.
FoldBudget fold_budget(const onnx::ModelProto& model);
Result<int64_t> fold_constants(onnx::ModelProto& model, FoldBudget& budget);

// What has no elements is no operand: a Concat, a Split or a Scatter goes without. Such parts come
// out of shape arithmetic; a tensor that is empty is a constant by now.
//
//   y, e = Split (x), e of [2,0];  z = Concat (y, e)        becomes    y = Split (x);  z = y
void drop_empty(Graph& graph);

// Constant indices of a Gather or a Scatter are within their axis (computations/named_elements.h),
// and a Reshape keeps all elements, or the model is wrong.
Result<void> check_elements(const Graph& graph);

// LSTM, GRU and RNN become products and the regions of their steps (recurrence/), in any direction
// and layout. One that is not (f16, too many steps) gets the attribute `not_tuned`
// with the reason. The error is a model that is wrong.
//
//   RNN (x, w, r)     becomes    p = MatMul (x of all steps, w);
//                                q = MatMul (h0, r);  h1 = Written {tanh(p[0] + q)} (p, 0, q);  …
Result<void> expand_recurrences(Graph& graph);

// Nodes that read constants only become constants (constants/fold_nodes.h), by any operator.
Result<void> fold_nodes(Graph& graph);

// An Identity, or a Dropout at inference whose mask nobody reads, is left out: its readers read its
// input.
void drop_identities(Graph& graph);

// A chain of simpler operators, as exporters write it, becomes the operator that it is.
//
//   x * (1 + Erf(x / sqrt(2))) * 0.5                               becomes   Gelu (x)
//   d / Sqrt(ReduceMean(d^2) + epsilon), d = x - ReduceMean(x)     becomes   LayerNormalization (x)
//   LayerNormalization (x) * scale + shift     becomes     LayerNormalization (x, scale, shift)
//
// In any order of factors and terms, where nothing else reads what lies between. A normalisation is
// over the last axes of its input, its scale and shift are constants of these axes.
Result<void> recognise_chains(Graph& graph);

// Conv, ConvTranspose, Gemm and MatMul get their spec.
//
//   Conv {kernel_shape=[3,3],pads=[1,1,1,1]} (x, w, b)  becomes  c2d:…,k=3,p=1+bias (x, w, b)
//   Gemm {alpha=0.5,transB=1} (a, w, c)                 becomes  gmm:…+bias (a, w/2 transposed, c)
//
// alpha and beta of Gemm and the transposition of a constant B go into the constants; an alpha or
// beta of activations becomes an elementwise Mul of its own. A node that no spec can say keeps its
// type and gets the attribute `not_tuned` with the reason. The error is a model that is wrong.
Result<void> lower_operators(Graph& graph);

// The nodes that one of these becomes; none, and why, if no spec can say it. New constants are
// added to the graph; the node itself is not replaced yet.
struct Lowering {
  std::vector<GraphNode> nodes = {};
  std::string reason = {};
};
Result<Lowering> lower_convolution(const Graph& graph, const GraphNode& node);
Result<Lowering> lower_gemm(Graph& graph, const GraphNode& node);
Result<Lowering> lower_matmul(const Graph& graph, const GraphNode& node);

// The node as one with a spec; and the type that its operator computes in.
GraphNode with_spec(const GraphNode& node, Operator op, std::vector<TensorId> inputs);
ElementType data_type(const GraphTensor& tensor);

// A BatchNormalization of constants joins the convolution alone before it: weights are scaled, and
// the bias gets the rest. So do an Add and a Mul of a constant with one value a channel.
//
//   conv = c2d:… (x, w) -> t;  norm = BatchNormalization (t, scale, shift, mean, variance) -> y
//   becomes   conv = c2d:…+bias (x, w * factor, shift - factor * mean) -> y
//   conv = c2d:… (x, w) -> t;  mul = Mul (t, factor) -> u;  add = Add (u, shift) -> y
//   becomes   conv = c2d:…+bias (x, w * factor, shift) -> y
Result<void> fold_normalizations(Graph& graph);

}  // namespace dovetail
