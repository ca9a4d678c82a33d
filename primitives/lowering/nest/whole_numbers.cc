// SPDX-License-Identifier: Apache-2.0
#include "primitives/lowering/nest/whole_numbers.h"

#include <cmath>

#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

class WholeBranches {
 public:
  explicit WholeBranches(const TypeOfLoad& type_of_load) : type_of_load_(type_of_load) {}

  // `expected`: the type of the node if nothing but numbers is in it.
  Value of(const Value& value, ComputedType expected) const {
    if (const auto* b = value.as<Binary>()) {
      const ComputedType operands =
          is_comparison(b->op) ? type(binary(BinaryOp::add, b->left, b->right)) : expected;
      return binary(b->op, of(b->left, operands), of(b->right, operands));
    }
    if (const auto* u = value.as<Unary>()) return unary(u->op, of(u->operand, expected));
    if (const auto* s = value.as<Select>())
      return select(s->bounds, branch(s->then, expected), branch(s->otherwise, expected));
    if (const auto* c = value.as<Choose>())
      return choose(of(c->condition, type(c->condition)), of(c->then, expected),
                    of(c->otherwise, expected));
    if (const auto* c = value.as<Cast>()) return cast(c->type, of(c->operand, type(c->operand)));
    return value;
  }

  ComputedType type(const Value& value) const { return type_of(value, type_of_load_); }

 private:
  Value branch(const Value& value, ComputedType expected) const {
    const auto* constant = value.as<Constant>();
    if (constant == nullptr) return of(value, expected);
    const bool is_whole =
        std::abs(constant->value) < 0x1p53 && constant->value == std::trunc(constant->value);
    if (expected != ComputedType::integer || !is_whole) return value;
    return IndexValue{IndexExpr(static_cast<int64_t>(constant->value))};
  }

  const TypeOfLoad& type_of_load_;
};

}  // namespace

Value with_whole_branches(const Value& value, const TypeOfLoad& type_of_load) {
  const WholeBranches whole(type_of_load);
  const bool has_integers = any_node(value, [&](const Value& node) {
    return node.as<Constant>() == nullptr && node.as<Binary>() == nullptr &&
           whole.type(node) == ComputedType::integer;
  });
  return has_integers ? whole.of(value, whole.type(value)) : value;
}

}  // namespace dovetail
