// SPDX-License-Identifier: Apache-2.0
#pragma once

// ValueNodes: the values of a computation as a list of nodes, each with its type and with indices
// over numbered variables, so that evaluating an element needs no look-up.
//
//   ValueNodes nodes(computation);            variables: its axes, then indices that data choose
//   const size_t top = nodes.add(computation.element, ComputedType::real);
//   nodes[top].operands                       numbers of the nodes that it is computed from
//
// A constant has no type of its own: it takes that of the other operand. The evaluators that fold
// constants and that check kernels share this list, not their arithmetic.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/operator/computation.h"

namespace dovetail {

// An index over numbered variables.
struct SlotIndex {
  struct Division {
    int64_t coefficient, divisor;
    bool is_div;
    std::vector<SlotIndex> inner;  // one
  };
  int64_t constant = 0;
  std::vector<std::pair<size_t, int64_t>> terms;
  std::vector<Division> divisions;

  int64_t at(const std::vector<int64_t>& variables) const {
    int64_t total = constant;
    for (const auto& [slot, coefficient] : terms) total += coefficient * variables[slot];
    for (const Division& d : divisions) {
      const int64_t inside = d.inner[0].at(variables);
      const int64_t rest = ((inside % d.divisor) + d.divisor) % d.divisor;
      total += d.coefficient * (d.is_div ? (inside - rest) / d.divisor : rest);
    }
    return total;
  }
};

struct IndexLimits {
  SlotIndex index;
  int64_t lower = 0, upper = 0;

  bool holds(const std::vector<int64_t>& variables) const {
    const int64_t at = index.at(variables);
    return lower <= at && at < upper;
  }
};

enum class NodeKind : uint8_t {
  constant,
  read,
  reduced,
  index,
  binary,
  comparison,
  unary,
  select,
  choose,
  cast
};

struct Node {
  NodeKind kind = NodeKind::constant;
  ComputedType type = ComputedType::real;
  double number = 0;  // constant only
  size_t read = 0;
  BinaryOp binary = BinaryOp::add;
  UnaryOp unary = UnaryOp::exp;
  ElementType cast = ElementType::f32;
  SlotIndex index = {};
  std::vector<IndexLimits> bounds = {};
  std::vector<size_t> operands = {};
};

class ValueNodes {
 public:
  explicit ValueNodes(const Computation& computation);

  // `wanted` is the type of a constant without another operand.
  size_t add(const Value& value, ComputedType wanted);
  size_t add(Node node);
  // Type of the reduced value, which results read: known only after the element is added.
  void set_reduced(ComputedType type) { reduced_type_ = type; }

  const Node& operator[](size_t node) const { return nodes_[node]; }
  SlotIndex index(const IndexExpr& e) const;
  std::vector<IndexLimits> limits(const std::vector<Bound>& bounds) const;
  size_t variables() const { return slots_.size(); }

 private:
  size_t add(const Binary& b, ComputedType wanted);
  ComputedType type_of(const Value& value) const;
  ComputedType common(const Value& a, const Value& b, ComputedType wanted) const;

  const Computation& c_;
  std::vector<std::string> slots_;
  std::vector<Node> nodes_;
  ComputedType reduced_type_ = ComputedType::real;
};

}  // namespace dovetail
