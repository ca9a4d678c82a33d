// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/normal_region.h"

#include <map>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/region/statement_terms.h"
#include "core/ir/region/written_region.h"

namespace dovetail {
namespace {

// Restates a computation as the statement that its text would be parsed to.
class Restatement {
 public:
  Restatement(const Computation& c, const Ranges& axes, const TypesOfTensors& types)
      : c_(c), terms_(axes, types) {}

  WrittenStatement statement() && {
    WrittenStatement& own = terms_.statement();
    own.tensor = c_.output.tensor;
    for (const IndexExpr& index : c_.output.indices) own.axes.push_back(index.variables().front());
    for (const Axis& axis : c_.axes)
      if (axis.reduction) own.mentioned.push_back(axis.name);
    if (c_.reducer != Reducer::none && !(c_.result == Value(Reduced{})))
      return std::move(terms_).finished(value(c_.result));
    WrittenStatement made = std::move(terms_).finished(value(c_.element));
    made.reducer = c_.reducer;
    return made;
  }

 private:
  IndexExpr index(const IndexExpr& e) {
    std::map<std::string, IndexExpr, std::less<>> renamed;
    for (const std::string& name : e.variables())
      for (const GatherIndex& chosen : c_.gathers)
        if (chosen.name == name)
          renamed[name] = terms_.gather(value(chosen.value), 0, chosen.extent);
    return substitute(e, renamed, terms_.ranges());
  }

  Value read(size_t position) {
    const Access& access = c_.reads[position];
    WrittenRead read{access.tensor, {}, access.outside};
    for (const IndexExpr& e : access.indices) read.indices.push_back(index(e));
    return terms_.read(std::move(read));
  }

  Value value(const Value& v) {
    if (const auto* r = v.as<ReadOf>()) return read(static_cast<size_t>(r->position));
    if (const auto* at = v.as<IndexValue>()) return IndexValue{index(at->index)};
    if (const auto* b = v.as<Binary>()) return binary_value(*b);
    if (const auto* s = v.as<Select>()) return selected(condition(s->bounds), *s);
    if (const auto* c = v.as<Choose>()) return selected(condition(c->condition), *c);
    if (const auto* c = v.as<Cast>()) return terms_.casted(c->type, value(c->operand));
    if (const auto* u = v.as<Unary>()) return terms_.called(u->op, value(u->operand));
    if (v.as<Reduced>() == nullptr || c_.reducer == Reducer::none) return v;
    const std::optional<Value> reduced = terms_.reduced(c_.reducer, value(c_.element));
    CHECK(reduced.has_value(), "a computation reduces one element");
    return *reduced;
  }

  template <typename Selection>
  Value selected(WrittenCondition condition, const Selection& of) {
    Value then = beside(of.then, of.otherwise);
    return terms_.selected(std::move(condition), std::move(then), beside(of.otherwise, of.then));
  }

  static bool is_number(const Value& v) {
    const auto* at = v.as<IndexValue>();
    return v.as<Constant>() != nullptr || (at != nullptr && at->index.is_constant());
  }

  // A constant index takes the type of the other operand, unless that is a number, too.
  Value beside(const Value& v, const Value& other) {
    const auto* at = v.as<IndexValue>();
    if (at == nullptr || !at->index.is_constant() || is_number(other)) return value(v);
    return static_cast<double>(at->index.constant());
  }

  Value binary_value(const Binary& b) {
    Value left = beside(b.left, b.right);
    Value right = beside(b.right, b.left);
    const Value& typed = b.left.as<Constant>() == nullptr ? b.left : b.right;
    if (b.op == BinaryOp::div && type_of(c_, typed) == ComputedType::integer)
      return terms_.quotient(std::move(left), std::move(right));
    return terms_.types().joined(b.op, std::move(left), std::move(right));
  }

  WrittenCondition condition(const std::vector<Bound>& bounds) {
    WrittenCondition result;
    for (const Bound& bound : bounds) {
      const Value expr = IndexValue{index(bound.expr)};
      terms_.compare(result, BinaryOp::less_equal, static_cast<double>(bound.lower), expr);
      terms_.compare(result, BinaryOp::less, expr, static_cast<double>(bound.upper));
      join_neighbours(result.bounds);
    }
    return result;
  }

  // The least of several truths is their conjunction, whose first one may compare indices.
  WrittenCondition condition(const Value& truth) {
    const auto* b = truth.as<Binary>();
    if (b != nullptr && b->op == BinaryOp::min) {
      WrittenCondition result = condition(b->left);
      add_truth(result, terms_.as_truth(beside(b->right, b->left)));
      return result;
    }
    WrittenCondition result;
    if (b != nullptr && is_comparison(b->op)) {
      const Value left = beside(b->left, b->right);
      terms_.compare(result, b->op, left, beside(b->right, b->left));
    } else {
      add_truth(result, terms_.as_truth(value(truth)));
    }
    return result;
  }

  const Computation& c_;
  StatementTerms terms_;
};

Result<RegionKeys> keys_of(const Region& region) {
  RegionKeys keys;
  for (const auto& [name, computation] : region.computations)
    for (const Axis& axis : computation.axes) {
      const Range range{0, axis.extent - 1};
      if (keys.axes.emplace(axis.name, range).first->second != range)
        return fail("axis {} has two extents; expected one", axis.name);
    }
  for (const Tensor& tensor : tensors_of(region)) {
    TensorKey key;
    if (!is_made(region, tensor.name)) key.shape = shape_of(tensor);
    if (tensor.type != ElementType::f32) key.type = tensor.type;
    keys.tensors.emplace(tensor.name, std::move(key));
    if (tensor.role == TensorRole::constant) keys.constants.insert(tensor.name);
  }
  return keys;
}

}  // namespace

Result<Region> normalised(const Region& region) {
  if (region.op) return region;
  WrittenRegion written(TRY(keys_of(region)));
  for (const auto& [name, computation] : region.computations)
    TRY(written.add(Restatement(computation, written.axes(), written.types()).statement()));
  return std::move(written).region();
}

}  // namespace dovetail
