// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/tail.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/operator/computation.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

bool is_commutative_here(BinaryOp op) {
  return op == BinaryOp::add || op == BinaryOp::mul || op == BinaryOp::min || op == BinaryOp::max ||
         op == BinaryOp::equal;
}

std::vector<Axis> output_axes(const Operator& op) {
  std::vector<Axis> axes = define(without_tail(op)).axes;
  std::erase_if(axes, [](const Axis& axis) { return axis.reduction; });
  return axes;
}

Result<void> check_tensor(const TailTensor& tensor, const std::vector<Axis>& axes) {
  if (!is_stored(tensor.type))
    return fail("tail: tensor {} has type {}; expected {}", tensor.name, name_of(tensor.type),
                kStoredTypes);
  auto rest = axes.begin();
  for (const std::string& name : tensor.axes) {
    rest = std::ranges::find(rest, axes.end(), name, &Axis::name);
    if (rest == axes.end())
      return fail("tail: tensor {} is read at [{}]; expected axes of the output in its order, or 0",
                  tensor.name, fmt::join(tensor.axes, ","));
    ++rest;
  }
  return {};
}

// Counts shared subtrees each time, as the text and the code repeat them; stops at the limit.
size_t nodes_in(const Value& value, size_t most) {
  size_t count = 1;
  for_each_operand(value, [&](const Value& operand) {
    if (count <= most) count += nodes_in(operand, most - count);
  });
  return count;
}

ComputedType type_of_tail(const OperatorTail& tail) {
  return type_of(tail.value, [&](const Value& leaf) {
    const auto* read = leaf.as<ReadOf>();
    return read == nullptr ? ComputedType::real
                           : computed_type(tail.tensors[static_cast<size_t>(read->position)].type);
  });
}

// A text of a value that does not depend on the names of tensors.
std::string key_of(const Value& value, const OperatorTail& tail) {
  if (const auto* read = value.as<ReadOf>()) {
    const TailTensor& tensor = tail.tensors[static_cast<size_t>(read->position)];
    return fmt::format("[{}|{}|{}]", fmt::join(tensor.axes, ","), name_of(tensor.type),
                       tensor.constant);
  }
  std::vector<std::string> operands;
  for_each_operand(value, [&](const Value& operand) { operands.push_back(key_of(operand, tail)); });
  if (const auto* b = value.as<Binary>())
    return fmt::format("b{}({})", static_cast<int>(b->op), fmt::join(operands, ","));
  if (const auto* u = value.as<Unary>())
    return fmt::format("u{}({})", static_cast<int>(u->op), operands.front());
  if (const auto* c = value.as<Cast>())
    return fmt::format("cast{}({})", static_cast<int>(c->type), operands.front());
  if (value.as<Choose>() != nullptr) return fmt::format("choose({})", fmt::join(operands, ","));
  return print(value);
}

Value sorted(const OperatorTail& tail) {
  return rebuilt(tail.value, [&](const Value& node) -> std::optional<Value> {
    const auto* b = node.as<Binary>();
    if (b == nullptr || !is_commutative_here(b->op)) return {};
    // Operands with `@` come first, then tensors, then numbers, as people write them.
    const auto rank = [&](const Value& operand) {
      const bool has_sum =
          any_node(operand, [](const Value& part) { return part.as<Reduced>() != nullptr; });
      return std::tuple(operand.as<Constant>() != nullptr, !has_sum, key_of(operand, tail));
    };
    if (rank(b->left) <= rank(b->right)) return {};
    return binary(b->op, b->right, b->left);
  });
}

// The value with each `prefix` replaced by `@`; nullopt if it has another `@`.
std::optional<Value> without_prefix(const Value& value, const Value& prefix) {
  if (value == prefix) return Value(Reduced{});
  if (value.as<Reduced>() != nullptr) return std::nullopt;
  bool complete = true;
  const auto inner = [&](const Value& operand) {
    std::optional<Value> rest = without_prefix(operand, prefix);
    complete = complete && rest.has_value();
    return rest ? *std::move(rest) : operand;
  };
  Value result = value;
  if (const auto* b = value.as<Binary>()) {
    Value left = inner(b->left);
    result = binary(b->op, std::move(left), inner(b->right));
  } else if (const auto* u = value.as<Unary>()) {
    result = unary(u->op, inner(u->operand));
  } else if (const auto* c = value.as<Choose>()) {
    Value condition = inner(c->condition), then = inner(c->then);
    result = choose(std::move(condition), std::move(then), inner(c->otherwise));
  } else if (const auto* c = value.as<Cast>()) {
    result = cast(c->type, inner(c->operand));
  }
  return complete ? std::optional(std::move(result)) : std::nullopt;
}

// The epilogues that the value may begin with. Clips come first, because one with lower bound 0
// begins like relu.
std::vector<Epilogue> candidates(const Value& value) {
  std::vector<Epilogue> all;
  for_each_node(value, [&](const Value& node) {
    const auto* high = node.as<Binary>();
    if (high == nullptr || high->op != BinaryOp::min) return;
    const auto* low = high->left.as<Binary>();
    if (low == nullptr || low->op != BinaryOp::max || low->left.as<Reduced>() == nullptr) return;
    const auto *lo = low->right.as<Constant>(), *hi = high->right.as<Constant>();
    if (lo != nullptr && hi != nullptr && std::isfinite(lo->value) && std::isfinite(hi->value) &&
        lo->value <= hi->value)
      all.push_back({EpilogueKind::clip, lo->value, hi->value});
  });
  for (const EpilogueKind kind : {EpilogueKind::relu, EpilogueKind::gelu, EpilogueKind::silu,
                                  EpilogueKind::sigmoid, EpilogueKind::tanh})
    all.push_back({kind});
  return all;
}

Value sorted_prefix(const Epilogue& epilogue) {
  return sorted({.value = apply_epilogues(Reduced{}, {epilogue}, {}), .tensors = {}});
}

}  // namespace

Result<void> check_tail(const Operator& op, const OperatorTail& tail) {
  if (tail.tensors.size() > kMaxTailTensors)
    return fail("tail: reads {} tensors; expected at most {}", tail.tensors.size(),
                kMaxTailTensors);
  if (nodes_in(tail.value, kMaxTailNodes) > kMaxTailNodes)
    return fail("tail: more than {} operations; expected less", kMaxTailNodes);
  const std::vector<Axis> axes = output_axes(op);
  for (const TailTensor& tensor : tail.tensors) TRY(check_tensor(tensor, axes));
  std::set<int> read;
  bool speaks_of_axes = false;
  for_each_node(tail.value, [&](const Value& node) {
    if (const auto* r = node.as<ReadOf>()) read.insert(r->position);
    speaks_of_axes = speaks_of_axes || node.as<IndexValue>() != nullptr ||
                     node.as<Select>() != nullptr || node.as<Load>() != nullptr;
  });
  if (speaks_of_axes) return fail("tail: a value of an index; expected tensors, numbers and @");
  if (read.size() != tail.tensors.size() ||
      (!read.empty() && (*read.begin() < 0 || *read.rbegin() >= std::ssize(tail.tensors))))
    return fail("tail: has {} tensors and reads {}; expected to read each", tail.tensors.size(),
                read.size());
  if (!is_stored(tail.type))
    return fail("tail: Y has type {}; expected {}", name_of(tail.type), kStoredTypes);
  if (computed_type(tail.type) != type_of_tail(tail))
    return fail("tail: Y is {}, found a value of another kind; expected a cast",
                name_of(tail.type));
  return {};
}

CanonicalTail canonical_tail(const OperatorTail& tail) {
  CanonicalTail result{.tail = {.value = sorted(tail), .tensors = {}, .type = tail.type},
                       .order = {}};
  std::vector<size_t>& order = result.order;
  for_each_node(result.tail.value, [&](const Value& node) {
    const auto* read = node.as<ReadOf>();
    if (read == nullptr) return;
    const auto position = static_cast<size_t>(read->position);
    if (std::ranges::find(order, position) == order.end()) order.push_back(position);
  });
  for (const size_t position : order) {
    result.tail.tensors.push_back(tail.tensors[position]);
    result.tail.tensors.back().name =
        std::string(1, static_cast<char>('A' + result.tail.tensors.size() - 1));
  }
  result.tail.value = with_reads(result.tail.value, [&](int position) {
    return read_of(static_cast<size_t>(std::ranges::find(order, static_cast<size_t>(position)) -
                                       order.begin()));
  });
  return result;
}

Operator without_tail(Operator op) {
  op.tail.reset();
  return op;
}

Operator with_named_epilogues(Operator op) {
  while (op.tail && op.epilogues.size() < kMaxEpilogues) {
    bool found = false;
    for (const Epilogue& epilogue : candidates(op.tail->value)) {
      const auto rest = without_prefix(op.tail->value, sorted_prefix(epilogue));
      if (!rest) continue;
      op.tail->value = *rest;
      op.epilogues.push_back(epilogue);
      found = true;
      break;
    }
    if (!found) break;
  }
  if (op.tail && op.tail->value == Value(Reduced{}) && op.tail->type == op.dtype) op.tail.reset();
  return op;
}

std::vector<int64_t> tail_shape(const Operator& op, const TailTensor& tensor) {
  std::vector<int64_t> shape;
  std::string before;
  for (const Axis& axis : output_axes(op)) {
    const bool has = std::ranges::find(tensor.axes, axis.name) != tensor.axes.end();
    const bool same_channels =
        (before == "g" && axis.name == "o") || (before == "c" && axis.name == "m");
    if (has && same_channels && op.kind != OperatorKind::custom)
      shape.back() *= axis.extent;
    else if (has)
      shape.push_back(axis.extent);
    before = has ? axis.name : "";
  }
  if (shape.empty()) shape.push_back(1);
  return shape;
}

}  // namespace dovetail
