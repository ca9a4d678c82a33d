// SPDX-License-Identifier: Apache-2.0
//
// Gemm and MatMul as gmm.
#include <algorithm>

#include "core/base/fail.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/import_steps.h"

namespace dovetail {
namespace {

using Integers = std::vector<int64_t>;

// scale * matrix, transposed if asked; rows and columns of the matrix as it is stored.
std::vector<float> scaled(const GraphTensor& matrix, double scale, bool transpose, int64_t rows,
                          int64_t columns) {
  const auto elements = matrix.data->as<float>();
  std::vector<float> result(elements.size());
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      const float element = elements[static_cast<size_t>(r * columns + c)];
      const int64_t to = transpose ? c * rows + r : r * columns + c;
      result[static_cast<size_t>(to)] = static_cast<float>(scale * element);
    }
  return result;
}

// One Gemm during lowering: the product, then the nodes that follow it.
class GemmLowering {
 public:
  GemmLowering(Graph& graph, const GraphNode& node) : graph_(graph), node_(node) {}

  Result<Lowering> lower() {
    alpha_ = TRY(number_attribute(node_, "alpha", 1));
    beta_ = TRY(number_attribute(node_, "beta", 1));
    TRY(read_product());
    fold_b();
    op_ = TRY(canonical(std::move(op_)));
    GraphNode product = with_spec(node_, op_, {node_.inputs[0], b_});
    const TensorId c = beta_ == 0 ? kNoTensor : input_at(node_, 2);
    if (c != kNoTensor) TRY(check_addend(c));
    if (c != kNoTensor && alpha_ == 1 && join_addend(c, product))
      nodes_.push_back(std::move(product));
    else
      emit_tail(c, std::move(product));
    return Lowering{.nodes = std::move(nodes_)};
  }

 private:
  Result<void> read_product() {
    const Integers& a = *tensor_of(graph_, node_.inputs[0]).shape;
    const Integers& b = *tensor_of(graph_, node_.inputs[1]).shape;
    if (a.size() != 2 || b.size() != 2)
      return fail("operands have ranks {} and {}; expected 2 and 2", a.size(), b.size());
    op_.kind = OperatorKind::gmm;
    op_.dtype = data_type(tensor_of(graph_, node_.inputs[0]));
    op_.transpose_a = TRY(integer_attribute(node_, "transA", 0)) != 0;
    op_.transpose_b = TRY(integer_attribute(node_, "transB", 0)) != 0;
    op_.m = a[op_.transpose_a ? 1 : 0];
    op_.k = a[op_.transpose_a ? 0 : 1];
    op_.n = b[op_.transpose_b ? 0 : 1];
    const int64_t rows = b[op_.transpose_b ? 1 : 0];
    if (rows != op_.k)
      return fail("operands are [{}] and [{}], reductions {} and {}; expected equal ones",
                  fmt::join(a, ","), fmt::join(b, ","), op_.k, rows);
    return {};
  }

  // A constant B is scaled by alpha and stored as k x n, so that layers differ only in shape.
  void fold_b() {
    b_ = node_.inputs[1];
    const GraphTensor b = tensor_of(graph_, b_);
    op_.b_const = b.constant;
    if (!has_floats(b) || (alpha_ == 1 && !op_.transpose_b)) return;
    b_ = add_constant(graph_, b.name + ".folded", b.type, {op_.k, op_.n},
                      scaled(b, alpha_, op_.transpose_b, (*b.shape)[0], (*b.shape)[1]));
    op_.transpose_b = false;
    alpha_ = 1;
  }

  Result<void> check_addend(TensorId c) const {
    const Integers& shape = *tensor_of(graph_, c).shape;
    const Integers full = {op_.m, op_.n};
    bool fits = shape.size() <= 2;
    for (size_t i = 0; fits && i < shape.size(); ++i) {
      const int64_t extent = shape[shape.size() - 1 - i];
      fits = extent == 1 || extent == full[1 - i];
    }
    if (fits) return {};
    return fail("C has shape [{}]; expected one that broadcasts to [{},{}]", fmt::join(shape, ","),
                op_.m, op_.n);
  }

  // beta * c as bias or addend of the product, if it has the shape of one.
  bool join_addend(TensorId c, GraphNode& product) {
    const GraphTensor tensor = tensor_of(graph_, c);
    const int64_t count = num_elements(*tensor.shape);
    const bool known = has_floats(tensor);
    const bool row = count == op_.n && (tensor.shape->empty() || tensor.shape->back() == op_.n);
    const bool uniform = count == 1 && known;
    const bool full = count == op_.m * op_.n;
    if (beta_ != 1 && !known) return false;
    if (!row && !uniform && !full) return false;
    const bool bias = row || uniform;
    if (beta_ != 1 || (uniform && !row)) {
      std::vector<float> data = scaled(tensor, beta_, false, 1, count);
      if (bias) data.resize(static_cast<size_t>(op_.n), data[0]);
      c = add_constant(graph_, tensor.name + ".folded", tensor.type,
                       bias ? Integers{op_.n} : Integers{op_.m, op_.n}, std::move(data));
    }
    product.op->epilogues = {{bias ? EpilogueKind::bias : EpilogueKind::add}};
    product.inputs.push_back(c);
    return true;
  }

  // alpha * product + beta * c in elementwise nodes.
  void emit_tail(TensorId c, GraphNode product) {
    const Integers shape = {op_.m, op_.n};
    const TensorId result = product.outputs[0];
    const bool scales = alpha_ != 1;
    TensorId value = result;
    if (scales || c != kNoTensor) value = product.outputs[0] = intermediate("product", shape);
    nodes_.push_back(std::move(product));
    if (scales) {
      const TensorId to = c == kNoTensor ? result : intermediate("scaled", shape);
      value = emit("Mul", "alpha", value, scalar("alpha", alpha_), to);
    }
    if (c == kNoTensor) return;
    if (beta_ != 1) {
      const TensorId to = intermediate("addend", *tensor_of(graph_, c).shape);
      c = emit("Mul", "beta", c, scalar("beta", beta_), to);
    }
    emit("Add", "add", value, c, result);
  }

  ElementType type() const { return tensor_of(graph_, node_.inputs[0]).type; }
  TensorId intermediate(const std::string& suffix, const Integers& shape) {
    return add_tensor(graph_, node_.name + "." + suffix, type(), shape);
  }
  TensorId scalar(const std::string& suffix, double value) {
    return add_constant(graph_, node_.name + "." + suffix, type(), {},
                        NDArray{static_cast<float>(value)});
  }
  TensorId emit(const std::string& op_type, const std::string& suffix, TensorId a, TensorId b,
                TensorId to) {
    nodes_.push_back({.name = node_.name + "/" + suffix,
                      .operator_class = OperatorClass::elementwise,
                      .type = op_type,
                      .op = {},
                      .attributes = {},
                      .inputs = {a, b},
                      .outputs = {to}});
    return to;
  }

  Graph& graph_;
  const GraphNode& node_;
  Operator op_;
  TensorId b_ = kNoTensor;
  double alpha_ = 1;
  double beta_ = 1;
  std::vector<GraphNode> nodes_;
};

int64_t product_of(const Integers& extents, size_t end) {
  int64_t count = 1;
  for (size_t i = 0; i < end; ++i) count *= extents[i];
  return count;
}

// The shape without leading ones.
Integers batch_of(const Integers& shape) {
  Integers batch(shape.begin(), shape.end() - 2);
  batch.erase(batch.begin(),
              std::ranges::find_if(batch, [](int64_t extent) { return extent != 1; }));
  return batch;
}

}  // namespace

Result<Lowering> lower_gemm(Graph& graph, const GraphNode& node) {
  return GemmLowering(graph, node).lower();
}

Result<Lowering> lower_matmul(const Graph& graph, const GraphNode& node) {
  Integers a = *tensor_of(graph, node.inputs[0]).shape;
  Integers b = *tensor_of(graph, node.inputs[1]).shape;
  if (a.empty() || b.empty()) return fail("an operand is a scalar; expected rank 1 or more");
  if (a.size() == 1) a.insert(a.begin(), 1);
  if (b.size() == 1) b.push_back(1);
  Operator op;
  op.kind = OperatorKind::gmm;
  op.dtype = data_type(tensor_of(graph, node.inputs[0]));
  op.b_const = tensor_of(graph, node.inputs[1]).constant;
  op.m = a[a.size() - 2];
  op.k = a.back();
  op.n = b.back();
  if (b[b.size() - 2] != op.k)
    return fail("operands are [{}] and [{}], reductions {} and {}; expected equal ones",
                fmt::join(a, ","), fmt::join(b, ","), op.k, b[b.size() - 2]);
  if (batch_of(b).empty())
    op.m *= product_of(a, a.size() - 2);  // one B for all: the rows of all A are concatenated
  else if (batch_of(a) == batch_of(b))
    op.batch = product_of(b, b.size() - 2);
  else
    return Lowering{.reason =
                        fmt::format("one operand is repeated over the other's batch, [{}] and [{}]",
                                    fmt::join(a, ","), fmt::join(b, ","))};
  op = TRY(canonical(std::move(op)));
  return Lowering{.nodes = {with_spec(node, std::move(op), {node.inputs[0], node.inputs[1]})}};
}

}  // namespace dovetail
