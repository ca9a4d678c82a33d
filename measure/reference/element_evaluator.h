// SPDX-License-Identifier: Apache-2.0
#pragma once

// ElementEvaluator: the values of a computation at one point of its axes, as written.
//
//   const ElementEvaluator evaluator(computation, given, made);
//   ElementPoint at = evaluator.first_point();
//   at.variables[0] = 3;
//   evaluator.value(evaluator.element(), at)      of the element, with its error
//
//   evaluator.along(node, at, axis, numbers)      of a node, while one axis advances
//
// Values are compiled to a list of nodes, each with its type and with indices over numbered
// variables, so that evaluating an element needs no look-up. All methods are const: threads share
// an evaluator, and each has points of its own.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ir/operator/computation.h"
#include "core/ir/operator/value_nodes.h"
#include "core/ir/value/named_arrays.h"
#include "core/ir/value/ndarray.h"
#include "measure/reference/bounded_number.h"
#include "measure/reference/strided_run.h"

namespace dovetail {

// Elements with error bounds. Real numbers are doubles (f64), integers and truths i64.
struct BoundedTensor {
  NDArray values;
  std::vector<double> errors;  // absolute
};
using RegionValues = std::map<std::string, BoundedTensor, std::less<>>;

// The node's type determines which of the two is valid.
struct BoundedValue {
  BoundedNumber real = {};
  BoundedInteger whole = {};
};

// A constant as an integer.
BoundedInteger whole_number(double number);

struct ElementPoint {
  std::vector<int64_t> variables;  // the axes, then the indices that data choose
  BoundedValue reduced = {};       // for values of the result
  bool chosen_by_error = false;    // an index with an error may select another element altogether
};

class ElementEvaluator {
 public:
  // Reads each tensor from `made` (computed before) or else from `given`; all must outlive it.
  ElementEvaluator(const Computation& computation, const NamedArrays& given,
                   const RegionValues& made);

  const Computation& computation() const { return c_; }
  const Node& node(size_t number) const { return nodes_[number]; }
  size_t element() const { return element_; }
  size_t result() const { return result_; }
  bool reduces_reals() const { return nodes_[element_].type == ComputedType::real; }

  // All variables are 0.
  ElementPoint first_point() const;
  // Evaluates the indices that data choose.
  void choose(ElementPoint& at) const;
  BoundedValue value(size_t node, const ElementPoint& at) const;
  // Values as real numbers; an integer that is not exact, or beyond them, has an infinite error.
  void along(size_t node, ElementPoint& at, size_t axis, std::span<BoundedNumber> numbers) const;

  // True if it reads numbers that have no errors.
  bool is_exact(size_t node) const;

 private:
  // An access to a tensor, with the value `outside` for elements beyond it.
  struct Read {
    std::vector<SlotIndex> indices = {};
    std::vector<int64_t> extents = {};
    std::vector<IndexLimits> conditions = {};
    ArrayView values = {};
    const std::vector<double>* errors = nullptr;  // null: exact
    double outside = 0;
    std::optional<std::vector<AffineIndex>> affine = {};  // unconditional, without div and mod
  };

  Read prepared(const Access& access, const NamedArrays& given, const RegionValues& made) const;
  std::optional<size_t> place(const Read& read, const ElementPoint& at) const;
  BoundedValue read(const Read& read, ComputedType type, const ElementPoint& at) const;
  BoundedValue cast(const Node& n, const BoundedValue& operand) const;
  BoundedValue combined(const Node& n, const BoundedValue& a, const BoundedValue& b,
                        const ElementPoint& at) const;
  bool is_left_out(size_t node, const ElementPoint& at) const;
  BoundedValue chosen_by_data(const Node& n, const ElementPoint& at) const;
  BoundedInteger truth_of(size_t node, const ElementPoint& at) const;

  const Computation& c_;
  ValueNodes nodes_;
  std::vector<Read> reads_;
  size_t element_ = 0, result_ = 0;
  std::vector<size_t> chosen_;
};

}  // namespace dovetail
