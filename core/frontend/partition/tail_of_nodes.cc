// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/partition/tail_of_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/frontend/graph_edit.h"
#include "core/frontend/partition/node_value.h"
#include "core/ir/operator/computation.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

// Dimensions of the graph's tensor and axes of the operator that count the same elements: the
// channels of a grouped convolution are two axes, the rows of a product two dimensions.
struct Block {
  std::vector<size_t> dims;
  std::vector<std::string> axes;
};

// nullopt where a dimension overlaps an axis without dividing it, or the reverse. Skips extents of
// 1.
std::optional<std::vector<Block>> blocks_of(const std::vector<int64_t>& shape,
                                            const std::vector<LogicalDim>& axes) {
  std::vector<Block> blocks;
  size_t d = 0, a = 0;
  const auto skip = [&] {
    while (d < shape.size() && shape[d] == 1) ++d;
    while (a < axes.size() && axes[a].extent == 1) ++a;
  };
  for (skip(); d < shape.size() && a < axes.size(); skip()) {
    Block block{{d}, {axes[a].name}};
    int64_t of_dims = shape[d++], of_axes = axes[a++].extent;
    while (of_dims != of_axes) {
      if (of_dims < of_axes && d < shape.size()) {
        block.dims.push_back(d);
        of_dims *= shape[d++];
      } else if (of_axes < of_dims && a < axes.size()) {
        block.axes.push_back(axes[a].name);
        of_axes *= axes[a++].extent;
      } else {
        return std::nullopt;
      }
    }
    blocks.push_back(std::move(block));
  }
  if (d < shape.size() || a < axes.size()) return std::nullopt;
  return blocks;
}

// True for an integer cast of a value clipped to the type's range, which storing does not change.
bool is_saturated(const Value& value, ElementType type) {
  const auto* whole = value.as<Cast>();
  const auto* high = whole == nullptr ? nullptr : whole->operand.as<Binary>();
  const auto* low = high == nullptr ? nullptr : high->left.as<Binary>();
  if (low == nullptr || high->op != BinaryOp::min || low->op != BinaryOp::max) return false;
  const auto *least = low->right.as<Constant>(), *most = high->right.as<Constant>();
  if (least == nullptr || most == nullptr) return false;
  const bool is_byte = type == ElementType::i8 || type == ElementType::u8;
  const double from = type == ElementType::i8 ? -128 : 0, to = type == ElementType::i8 ? 127 : 255;
  return is_byte && least->value >= from && most->value <= to;
}

class TailWriter {
 public:
  TailWriter(const Graph& graph, const GraphNode& anchor)
      : graph_(graph), anchor_(anchor), computation_(define(*anchor.op)) {
    const Operator& op = *anchor.op;
    if (op.tail) tail_ = *op.tail;
    const size_t named = anchor.inputs.size() - tail_.tensors.size();
    inputs_.assign(anchor.inputs.begin() + static_cast<ptrdiff_t>(named), anchor.inputs.end());
    values_[anchor.outputs[0]] = tail_.value;
  }

  Result<std::optional<GraphNode>> write(const std::vector<const GraphNode*>& nodes) {
    std::optional<GraphNode> none;
    const GraphTensor& made = tensor_of(graph_, anchor_.outputs[0]);
    const auto blocks =
        blocks_of(*made.shape, tensor_named(computation_, computation_.output.tensor).dims);
    if (!blocks) return none;
    blocks_ = *blocks;
    TensorId last = anchor_.outputs[0];
    for (const GraphNode* node : nodes) {
      if (tensor_of(graph_, node->outputs[0]).shape != made.shape || !is_kept(last)) return none;
      const std::optional<NodeValue> own = TRY(value_of(graph_, *node));
      std::optional<Value> value = own ? put_in(*own) : std::nullopt;
      if (!value) return none;
      last = node->outputs[0];
      values_[last] = *std::move(value);
    }
    tail_.value = values_.at(last);
    tail_.type = tensor_of(graph_, last).type;
    return finished();
  }

 private:
  // True if storing the tensor between two nodes would not change its value.
  bool is_kept(TensorId id) const {
    const ElementType type = tensor_of(graph_, id).type;
    const Value& value = values_.at(id);
    if (type == ElementType::f32 || type == ElementType::boolean) return true;
    if (is_half(type)) return anchor_.op->dtype == type;
    if (type == ElementType::i64) return value.as<Cast>() != nullptr;
    return is_saturated(value, type);
  }

  std::optional<Value> put_in(const NodeValue& own) {
    std::vector<Value> reads;
    for (const NodeRead& read : own.reads) {
      const auto inner = values_.find(read.tensor);
      const auto axes = axes_of(read);
      if (!axes) return std::nullopt;
      if (inner == values_.end())
        reads.push_back(read_of(position_of(read.tensor, *axes)));
      else if (axes->size() == output_dims().size())
        reads.push_back(inner->second);
      else
        return std::nullopt;
    }
    return with_reads(own.value,
                      [&](int position) { return reads[static_cast<size_t>(position)]; });
  }

  const std::vector<LogicalDim>& output_dims() const {
    return tensor_named(computation_, computation_.output.tensor).dims;
  }

  // The operator's axes of a read; for a read of the whole output all, even those of extent 1.
  std::optional<std::vector<std::string>> axes_of(const NodeRead& read) const {
    std::vector<std::string> axes;
    size_t whole = 0;
    for (const Block& block : blocks_) {
      const auto has = [&](size_t dim) {
        return std::ranges::find(read.dims, dim) != read.dims.end();
      };
      const auto count = std::ranges::count_if(block.dims, has);
      if (count == 0) continue;
      if (count != std::ssize(block.dims)) return std::nullopt;
      axes.insert(axes.end(), block.axes.begin(), block.axes.end());
      ++whole;
    }
    if (whole < blocks_.size()) return axes;
    axes.clear();
    for (const LogicalDim& dim : output_dims()) axes.push_back(dim.name);
    return axes;
  }

  size_t position_of(TensorId id, const std::vector<std::string>& axes) {
    for (size_t t = 0; t < inputs_.size(); ++t)
      if (inputs_[t] == id && tail_.tensors[t].axes == axes) return t;
    const GraphTensor& tensor = tensor_of(graph_, id);
    tail_.tensors.push_back({.name = fmt::format("T{}", inputs_.size()),
                             .axes = axes,
                             .type = tensor.type,
                             .constant = tensor.constant});
    inputs_.push_back(id);
    return inputs_.size() - 1;
  }

  void reorder(const std::vector<size_t>& order) {
    std::vector<TensorId> ordered;
    for (const size_t position : order) ordered.push_back(inputs_[position]);
    inputs_ = std::move(ordered);
  }

  // The canonical operator, its inputs in the order in which its text names them; nullopt if its
  // spec cannot be parsed again, because a tail may be too large.
  std::optional<GraphNode> finished() {
    Operator op = *anchor_.op;
    if (!check_tail(op, tail_)) return std::nullopt;
    for (const bool names_epilogues : {true, false}) {
      const CanonicalTail sorted = canonical_tail(tail_);
      reorder(sorted.order);
      op.tail = sorted.tail;
      if (!names_epilogues) break;
      op = with_named_epilogues(std::move(op));
      if (!op.tail) break;
      tail_ = *op.tail;
    }
    const Result<Operator> read = parse_operator(print(op));
    const bool has_tensors =
        read && (read->tail ? read->tail->tensors.size() : 0) == inputs_.size();
    if (!has_tensors || (op.tail && read->tail && op.tail->tensors != read->tail->tensors))
      return std::nullopt;
    GraphNode node = anchor_;
    node.op = *read;
    node.inputs.resize(input_operands(*read).size());
    node.inputs.insert(node.inputs.end(), inputs_.begin(), inputs_.end());
    return node;
  }

  const Graph& graph_;
  const GraphNode& anchor_;
  const Computation computation_;
  OperatorTail tail_;
  std::vector<TensorId> inputs_;  // the tail's tensors
  std::vector<Block> blocks_;
  std::map<TensorId, Value> values_;  // by output of the nodes
};

}  // namespace

Result<std::optional<GraphNode>> with_tail(const Graph& graph, const GraphNode& anchor,
                                           const std::vector<const GraphNode*>& nodes) {
  return TailWriter(graph, anchor).write(nodes);
}

}  // namespace dovetail
