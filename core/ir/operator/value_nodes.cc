// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/value_nodes.h"

#include <algorithm>

#include "core/base/check.h"

namespace dovetail {

ValueNodes::ValueNodes(const Computation& computation) : c_(computation) {
  for (const Axis& axis : computation.axes) slots_.push_back(axis.name);
  for (const GatherIndex& index : computation.gathers) slots_.push_back(index.name);
}

SlotIndex ValueNodes::index(const IndexExpr& e) const {
  SlotIndex result;
  result.constant = e.constant();
  for (const IndexTerm& term : e.terms()) {
    if (term.atom.kind != IndexAtom::Kind::variable) {
      result.divisions.push_back({term.coefficient,
                                  term.atom.divisor,
                                  term.atom.kind == IndexAtom::Kind::div,
                                  {index(*term.atom.inner)}});
      continue;
    }
    const auto slot = std::ranges::find(slots_, term.atom.variable);
    CHECK(slot != slots_.end(), "an index over axes: " + term.atom.variable);
    result.terms.emplace_back(static_cast<size_t>(slot - slots_.begin()), term.coefficient);
  }
  return result;
}

std::vector<IndexLimits> ValueNodes::limits(const std::vector<Bound>& bounds) const {
  std::vector<IndexLimits> limits;
  for (const Bound& bound : bounds) limits.push_back({index(bound.expr), bound.lower, bound.upper});
  return limits;
}

ComputedType ValueNodes::type_of(const Value& value) const {
  return dovetail::type_of(value, [&](const Value& leaf) {
    const auto* read = leaf.as<ReadOf>();
    if (read == nullptr) return reduced_type_;
    const Access& access = c_.reads[static_cast<size_t>(read->position)];
    return computed_type(tensor_named(c_, access.tensor).type);
  });
}

size_t ValueNodes::add(Node node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

// The common type of two operands; a constant takes the other's, or `wanted`.
ComputedType ValueNodes::common(const Value& a, const Value& b, ComputedType wanted) const {
  if (a.as<Constant>() == nullptr) return type_of(a);
  return b.as<Constant>() == nullptr ? type_of(b) : wanted;
}

// `wanted` is the type of a constant, which has none of its own.
size_t ValueNodes::add(const Value& value, ComputedType wanted) {
  if (const auto* constant = value.as<Constant>())
    return add(Node{.kind = NodeKind::constant, .type = wanted, .number = constant->value});
  if (const auto* r = value.as<ReadOf>())
    return add(Node{
        .kind = NodeKind::read, .type = type_of(value), .read = static_cast<size_t>(r->position)});
  if (value.as<Reduced>() != nullptr)
    return add(Node{.kind = NodeKind::reduced, .type = reduced_type_});
  if (const auto* at = value.as<IndexValue>())
    return add(
        Node{.kind = NodeKind::index, .type = ComputedType::integer, .index = index(at->index)});
  if (const auto* b = value.as<Binary>()) return add(*b, wanted);
  if (const auto* u = value.as<Unary>()) {
    const size_t operand = add(u->operand, wanted);
    return add(Node{.kind = NodeKind::unary,
                    .type = nodes_[operand].type,
                    .unary = u->op,
                    .operands = {operand}});
  }
  if (const auto* s = value.as<Select>()) {
    const ComputedType type = common(s->then, s->otherwise, wanted);
    return add(Node{.kind = NodeKind::select,
                    .type = type,
                    .bounds = limits(s->bounds),
                    .operands = {add(s->then, type), add(s->otherwise, type)}});
  }
  if (const auto* c = value.as<Choose>()) {
    const ComputedType type = common(c->then, c->otherwise, wanted);
    const size_t condition = add(c->condition, ComputedType::boolean);
    return add(Node{.kind = NodeKind::choose,
                    .type = type,
                    .operands = {condition, add(c->then, type), add(c->otherwise, type)}});
  }
  const auto* c = value.as<Cast>();
  CHECK(c != nullptr, "a value of a computation");
  const size_t operand = add(c->operand, ComputedType::real);
  return add(Node{.kind = NodeKind::cast,
                  .type = computed_type(c->type),
                  .cast = c->type,
                  .operands = {operand}});
}

size_t ValueNodes::add(const Binary& b, ComputedType wanted) {
  const bool compares = is_comparison(b.op);
  const ComputedType type = common(b.left, b.right, compares ? ComputedType::real : wanted);
  const size_t left = add(b.left, type), right = add(b.right, type);
  return add(Node{.kind = compares ? NodeKind::comparison : NodeKind::binary,
                  .type = compares ? ComputedType::boolean : type,
                  .binary = b.op,
                  .operands = {left, right}});
}

}  // namespace dovetail
